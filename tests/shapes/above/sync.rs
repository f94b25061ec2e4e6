//! `#[instrument]` on plain functions.

use super::*;

#[instrument(err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn err(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask()?;
    Ok(text.len())
}

#[instrument(ret)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn ret(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask()?;
    Ok(text.len())
}

#[instrument(err(Debug), ret, level = "debug", skip(flaky), fields(length = text.len()))]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn both(flaky: &Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask()?;
    Ok(text.len())
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(text))]
fn cloned(flaky: &Flaky, mut text: Vec<u8>) -> Result<Vec<u8>, Busy> {
    text.push(1);
    flaky.ask()?;
    Ok(text)
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn counted(mut n: u32) -> Result<u32, Busy> {
    n += 1;
    if n < 3 { Err(Busy) } else { Ok(n) }
}

#[instrument(skip_all, err, ret)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn pattern((a, b): (String, u32), [c, d]: [u32; 2], flaky: Flaky) -> Result<u32, Busy> {
    flaky.ask()?;
    Ok(a.len() as u32 + b + c + d)
}

#[instrument(err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn generic<T, const N: usize>(
    flaky: Flaky,
    items: [T; N],
    name: impl AsRef<str> + Debug,
) -> Result<usize, Busy>
where
    T: Debug + Clone,
{
    flaky.ask()?;
    Ok(items.len() + name.as_ref().len())
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn borrows<'a>(flaky: &Flaky, text: &'a str) -> Result<&'a str, Busy> {
    flaky.ask()?;
    Ok(&text[1..])
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn through_mut(queue: &mut VecDeque<Result<u32, Busy>>) -> Result<u32, Busy> {
    queue.pop_front().unwrap_or(Err(Busy))
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
#[instrument(skip_all, ret)]
fn between(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask()?;
    Ok(text.len())
}

#[instrument(skip_all, err)]
#[instrument(skip_all, ret, err(Debug))]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn twice(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask()?;
    Ok(text.len())
}

// The body's own `move` stays one.
#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn moves_itself(flaky: &Flaky, text: String) -> Result<Box<dyn Fn() -> usize>, Busy> {
    let n = flaky.ask()?;
    let length = text.len();
    Ok(Box::new(move || length + n as usize))
}

#[instrument(skip_all, ret)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn option(flaky: Flaky, text: String) -> Option<usize> {
    flaky.ask().ok()?;
    Some(text.len())
}

impl Client {
    #[instrument(err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn by_ref(&self, text: String) -> Result<usize, Busy> {
        self.flaky.ask()?;
        Ok(text.len())
    }

    #[instrument(err, ret)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn by_mut(&mut self) -> Result<u32, Busy> {
        self.seen += 1;
        self.flaky.ask()?;
        Ok(self.seen)
    }

    #[instrument(err, ret)]
    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn by_value(self) -> Result<u32, Busy> {
        self.flaky.ask()
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn by_mut_value(mut self, by: u32) -> Result<u32, Busy> {
        self.seen += by;
        self.flaky.ask()?;
        Ok(self.seen)
    }

    #[instrument(err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn by_box(self: Box<Self>) -> Result<u32, Busy> {
        self.flaky.ask()
    }

    #[instrument(err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn by_arc(self: Arc<Self>) -> Result<u32, Busy> {
        self.flaky.ask()
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn lends(&self) -> Result<&str, Busy> {
        self.flaky.ask()?;
        Ok(&self.name)
    }
}

#[test]
fn a_span_above_leaves_each_attempt_its_arguments() {
    let text = || "four".to_owned();
    assert_eq!(err(Flaky::third(), text()), Ok(4));
    assert_eq!(ret(Flaky::third(), text()), Ok(4));
    assert_eq!(both(&Flaky::third(), text()), Ok(4));
    assert_eq!(pattern((text(), 1), [2, 3], Flaky::third()), Ok(10));
    assert_eq!(generic(Flaky::third(), [1, 2, 3], "four"), Ok(7));
    assert_eq!(borrows(&Flaky::third(), "four"), Ok("our"));
    assert_eq!(through_mut(&mut [Err(Busy), Err(Busy), Ok(3)].into()), Ok(3));
    assert_eq!(between(Flaky::third(), text()), Ok(4));
    assert_eq!(twice(Flaky::third(), text()), Ok(4));
    assert_eq!(moves_itself(&Flaky::third(), text()).unwrap()(), 7);
    assert_eq!(option(Flaky::third(), text()), Some(4));
}

#[test]
fn a_clone_is_fresh_and_a_mut_argument_persists_under_a_span() {
    assert_eq!(cloned(&Flaky::third(), vec![0]), Ok(vec![0, 1]));
    assert_eq!(counted(0), Ok(3));
}

#[test]
fn a_span_above_leaves_each_attempt_its_self() {
    assert_eq!(Client::new().by_ref("four".to_owned()), Ok(4));
    assert_eq!(Client::new().by_mut(), Ok(3));
    assert_eq!(Client::new().by_value(), Ok(3));
    assert_eq!(Client::new().by_mut_value(2), Ok(6));
    assert_eq!(Box::new(Client::new()).by_box(), Ok(3));
    assert_eq!(Arc::new(Client::new()).by_arc(), Ok(3));
    assert_eq!(Client::new().lends(), Ok("client"));
}
