//! `#[instrument]` on async functions.

use super::*;

#[instrument]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn bare(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask_slowly().await?;
    Ok(text.len())
}

#[instrument(err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn err(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask_slowly().await?;
    Ok(text.len())
}

#[instrument(ret)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn ret(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask_slowly().await?;
    Ok(text.len())
}

#[instrument(err(Debug), ret, level = "debug", skip(flaky), fields(length = text.len()))]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn both(flaky: &Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask_slowly().await?;
    Ok(text.len())
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error(), clone(text))]
async fn cloned(flaky: &Flaky, mut text: Vec<u8>) -> Result<Vec<u8>, Busy> {
    text.push(1);
    flaky.ask_slowly().await?;
    Ok(text)
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn counted(mut n: u32) -> Result<u32, Busy> {
    n += 1;
    if n < 3 { Err(Busy) } else { Ok(n) }
}

#[instrument(skip_all, err, ret)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn pattern((a, b): (String, u32), [c, d]: [u32; 2], flaky: Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await?;
    Ok(a.len() as u32 + b + c + d)
}

#[instrument(err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn generic<T, const N: usize>(
    flaky: Flaky,
    items: [T; N],
    name: impl AsRef<str> + Debug,
) -> Result<usize, Busy>
where
    T: Debug + Clone,
{
    flaky.ask_slowly().await?;
    Ok(items.len() + name.as_ref().len())
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn borrows<'a>(flaky: &Flaky, text: &'a str) -> Result<&'a str, Busy> {
    flaky.ask_slowly().await?;
    Ok(&text[1..])
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn through_mut(queue: &mut VecDeque<Result<u32, Busy>>) -> Result<u32, Busy> {
    tokio::task::yield_now().await;
    queue.pop_front().unwrap_or(Err(Busy))
}

// `Send`, though not `Sync`.
#[instrument(skip_all, err, ret)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn cell(flaky: FlakyCell, cell: Cell<u32>) -> Result<u32, Busy> {
    tokio::task::yield_now().await;
    cell.set(cell.get() + 1);
    flaky.ask()?;
    Ok(cell.get())
}

#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
#[instrument(skip_all, ret)]
async fn between(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask_slowly().await?;
    Ok(text.len())
}

#[instrument(skip_all, err)]
#[instrument(skip_all, ret, err(Debug))]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn twice(flaky: Flaky, text: String) -> Result<usize, Busy> {
    flaky.ask_slowly().await?;
    Ok(text.len())
}

// The body's own `move` stays one: a task cannot borrow.
#[instrument(skip_all, err)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn spawns(flaky: Arc<Flaky>, text: String) -> Result<usize, Busy> {
    let (flaky, text) = (flaky.clone(), text.clone());
    tokio::spawn(async move {
        flaky.ask_slowly().await?;
        Ok(text.len())
    })
    .await
    .unwrap()
}

#[instrument(skip_all, ret)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn option(flaky: Flaky, text: String) -> Option<usize> {
    flaky.ask_slowly().await.ok()?;
    Some(text.len())
}

impl Client {
    #[instrument(err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn by_ref_slowly(&self, text: String) -> Result<usize, Busy> {
        self.flaky.ask_slowly().await?;
        Ok(text.len())
    }

    #[instrument(err, ret)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn by_mut_slowly(&mut self) -> Result<u32, Busy> {
        self.seen += 1;
        self.flaky.ask_slowly().await?;
        Ok(self.seen)
    }

    #[instrument(err, ret)]
    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn by_value_slowly(self) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn by_mut_value_slowly(mut self, by: u32) -> Result<u32, Busy> {
        self.seen += by;
        self.flaky.ask_slowly().await?;
        Ok(self.seen)
    }

    #[instrument(err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn by_box_slowly(self: Box<Self>) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[instrument(err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn by_arc_slowly(self: Arc<Self>) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn lends_slowly(&self) -> Result<&str, Busy> {
        self.flaky.ask_slowly().await?;
        Ok(&self.name)
    }
}

#[tokio::test]
async fn a_span_above_leaves_each_attempt_its_arguments() {
    let text = || "four".to_owned();
    assert_eq!(sendable(bare(Flaky::third(), text())).await, Ok(4));
    assert_eq!(sendable(err(Flaky::third(), text())).await, Ok(4));
    assert_eq!(sendable(ret(Flaky::third(), text())).await, Ok(4));
    assert_eq!(sendable(both(&Flaky::third(), text())).await, Ok(4));
    assert_eq!(sendable(pattern((text(), 1), [2, 3], Flaky::third())).await, Ok(10));
    assert_eq!(sendable(generic(Flaky::third(), [1, 2, 3], "four")).await, Ok(7));
    assert_eq!(sendable(borrows(&Flaky::third(), "four")).await, Ok("our"));
    assert_eq!(sendable(through_mut(&mut [Err(Busy), Ok(3)].into())).await, Ok(3));
    assert_eq!(sendable(cell(FlakyCell::third(), Cell::new(0))).await, Ok(3));
    assert_eq!(sendable(between(Flaky::third(), text())).await, Ok(4));
    assert_eq!(sendable(twice(Flaky::third(), text())).await, Ok(4));
    assert_eq!(sendable(spawns(Flaky::third().into(), text())).await, Ok(4));
    assert_eq!(sendable(option(Flaky::third(), text())).await, Some(4));
}

#[tokio::test]
async fn a_clone_is_fresh_and_a_mut_argument_persists_under_a_span() {
    assert_eq!(cloned(&Flaky::third(), vec![0]).await, Ok(vec![0, 1]));
    assert_eq!(counted(0).await, Ok(3));
}

#[tokio::test]
async fn a_span_above_leaves_each_attempt_its_self() {
    assert_eq!(Client::new().by_ref_slowly("four".to_owned()).await, Ok(4));
    assert_eq!(Client::new().by_mut_slowly().await, Ok(3));
    assert_eq!(Client::new().by_value_slowly().await, Ok(3));
    assert_eq!(Client::new().by_mut_value_slowly(2).await, Ok(6));
    assert_eq!(Box::new(Client::new()).by_box_slowly().await, Ok(3));
    assert_eq!(Arc::new(Client::new()).by_arc_slowly().await, Ok(3));
    assert_eq!(Client::new().lends_slowly().await, Ok("client"));
}
