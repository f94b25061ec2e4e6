//! `block!`: a retry inside a function.

use std::cell::Cell;
use std::collections::HashMap;

use retry::retry;

use crate::flaky::{Busy, Flaky};

#[tokio::test]
async fn each_of_the_three_forms_gives_the_last_outcome() {
    let flaky = Flaky::third();
    let outcome = retry::block!(stop = attempts(5), wait = none(), on = any_error(), async {
        flaky.ask_slowly().await
    });
    assert_eq!(outcome, Ok(3));

    let flaky = Flaky::third();
    let outcome = retry::block!(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        async || -> Result<u32, Box<dyn std::error::Error>> {
            let n = flaky.ask_slowly().await?;
            Ok("1".parse::<u32>()? + n)
        },
    );
    assert_eq!(outcome.unwrap(), 4);

    let flaky = Flaky::third();
    let outcome = retry::block!(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        || -> Result<u32, Box<dyn std::error::Error>> {
            let n = flaky.ask()?;
            Ok("1".parse::<u32>()? + n)
        }
    );
    assert_eq!(outcome.unwrap(), 4);

    let flaky = Flaky::never();
    let ask = || retry::block!(stop = attempts(5), wait = none(), on = any_error(), || flaky.ask());
    assert_eq!(ask(), Err(Busy));
    assert_eq!(flaky.asked(), 5);
    let outcome =
        retry::block!(stop = attempts(5), wait = none(), on = any_error(), async || flaky.ask());
    assert_eq!(outcome, Err(Busy));
    assert_eq!(flaky.asked(), 10);
}

#[tokio::test]
async fn locals_may_be_written_and_are_there_afterwards() {
    let flaky = Flaky::third();
    let mut log = vec![];
    let mut count = 0;
    let outcome = retry::block!(stop = attempts(5), wait = none(), on = any_error(), async {
        count += 1;
        log.push(count);
        flaky.ask_slowly().await
    });
    assert_eq!(outcome, Ok(3));
    assert_eq!(log, [1, 2, 3]);
    let outcome = retry::block!(stop = attempts(5), wait = none(), on = any_error(), || {
        count += 1;
        if count < 6 { Err(Busy) } else { Ok(log.as_slice()) }
    });
    assert_eq!(outcome, Ok(&[1, 2, 3][..]));
}

#[tokio::test]
async fn a_return_and_a_question_mark_end_the_attempt_and_not_the_function() {
    let flaky = Flaky::until(5);
    let outcome = retry::block!(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        || -> Result<u32, Busy> {
            if flaky.asked() < 2 {
                return flaky.ask();
            }
            let n = flaky.ask()?;
            Ok(n * 10)
        }
    );
    assert_eq!(outcome, Ok(50));
    let flaky = Flaky::third();
    let outcome = retry::block!(stop = attempts(5), wait = none(), on = any_error(), async {
        if flaky.asked() < 2 {
            return flaky.ask();
        }
        let n = flaky.ask_slowly().await?;
        Ok(n * 10)
    });
    assert_eq!(outcome, Ok(30));
}

fn get<'a>(map: &'a HashMap<String, String>, flaky: &Flaky) -> Result<&'a str, Busy> {
    let value = retry::block!(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        || -> Result<&'a str, Busy> {
            flaky.ask()?;
            map.get("key").map(String::as_str).ok_or(Busy)
        }
    )?;
    Ok(value)
}

#[test]
fn a_result_may_borrow_from_around() {
    let map = HashMap::from([("key".to_owned(), "value".to_owned())]);
    assert_eq!(get(&map, &Flaky::third()), Ok("value"));
    assert_eq!(get(&map, &Flaky::never()), Err(Busy));
}

#[tokio::test]
async fn a_block_may_stand_in_a_closure_or_another_block() {
    let flaky = Flaky::until(8);
    let call = |n: u32| {
        retry::block!(stop = attempts(n), wait = none(), on = any_error(), || {
            retry::block!(stop = attempts(2), wait = none(), on = any_error(), || flaky.ask())
        })
    };
    assert_eq!(call(3), Err(Busy));
    assert_eq!(flaky.asked(), 6);
    let call = async |n: u32| {
        retry::block!(stop = attempts(n), wait = none(), on = any_error(), async {
            flaky.ask_slowly().await
        })
    };
    assert_eq!(call(3).await, Ok(8));

    let flaky = Flaky::third();
    let sum: u32 = [1, 2]
        .into_iter()
        .map(|n| {
            let asked =
                retry::block!(stop = attempts(5), wait = none(), on = any_error(), || flaky.ask());
            asked.unwrap() * n
        })
        .sum();
    assert_eq!(sum, 3 + 8);
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
async fn annotated(flaky: &Flaky, calls: &mut u32) -> Result<u32, Busy> {
    *calls += 1;
    let n = retry::block!(stop = attempts(2), wait = none(), on = any_error(), async {
        flaky.ask_slowly().await
    })?;
    Ok(n)
}

struct Client {
    flaky: Flaky,
    limit: u32,
    log: Vec<u32>,
}

impl Client {
    async fn fetch(&mut self) -> Result<u32, Busy> {
        let limit = self.limit;
        retry::block!(stop = attempts(limit), wait = none(), on = any_error(), async {
            self.log.push(limit);
            self.flaky.ask_slowly().await
        })
    }

    fn fetch_by_self(&self) -> Result<u32, Busy> {
        retry::block!(stop = attempts(self.limit), wait = none(), on = any_error(), || self
            .flaky
            .ask())
    }
}

#[tokio::test]
async fn a_block_may_stand_in_an_annotated_function_and_in_a_method() {
    let mut calls = 0;
    assert_eq!(annotated(&Flaky::third(), &mut calls).await, Ok(3));
    assert_eq!(calls, 2);
    let mut client = Client { flaky: Flaky::third(), limit: 5, log: vec![] };
    assert_eq!(client.fetch().await, Ok(3));
    assert_eq!(client.log, [5; 3]);
    assert_eq!(client.fetch_by_self(), Ok(4));
}

#[tokio::test]
async fn a_retry_that_only_a_success_can_end_gives_its_value() {
    let flaky = Flaky::until(30);
    let n: u32 = retry::block!(forever, wait = none(), on = any_error(), || flaky.ask());
    assert_eq!(n, 30);
    let flaky = Flaky::until(30);
    let n: u32 =
        retry::block!(forever, wait = none(), on = any_error(), async { flaky.ask_slowly().await });
    assert_eq!(n, 30);
    let flaky = Flaky::until(30);
    let n: u32 = retry::block!(
        wait = none(),
        forever,
        on = any_error(),
        async || -> Result<u32, anyhow::Error> { Ok(flaky.ask_slowly().await?) },
    );
    assert_eq!(n, 30);
    let mut left = vec![Some(7), None, None];
    let n: i32 = retry::block!(forever, wait = none(), on = any_error(), || left.pop().flatten());
    assert_eq!(n, 7);
}

#[test]
fn a_retry_that_something_else_can_end_gives_the_outcome() {
    let flaky = Flaky::third();
    let outcome: Result<u32, Busy> =
        retry::block!(forever, wait = none(), on = any_error(), enabled = false, || flaky.ask());
    assert_eq!(outcome, Err(Busy));
    let outcome: Result<u32, Busy> =
        retry::block!(forever, wait = none(), on = is::<Busy>(), || flaky.ask());
    assert_eq!(outcome, Ok(3));
}

#[test]
fn locals_may_be_cloned_for_each_attempt() {
    let flaky = Flaky::third();
    let (text, list) = ("text".to_owned(), vec![1]);
    let outcome = retry::block!(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        clone(text, list),
        || -> Result<(String, Vec<u8>), Busy> {
            let moved = (text, list);
            flaky.ask()?;
            Ok(moved)
        }
    );
    assert_eq!(outcome, Ok((text, list)));
}

#[tokio::test]
async fn plain_values_and_options_are_judged_too() {
    let flaky = Flaky::third();
    let status =
        retry::block!(stop = attempts(5), wait = none(), on = matches(503), || match flaky.ask() {
            Ok(_) => 200,
            Err(_) => 503,
        });
    assert_eq!((status, flaky.asked()), (200, 3));
    let flaky = Flaky::third();
    let some = retry::block!(stop = attempts(5), wait = none(), on = any_error(), async {
        Some(flaky.ask_slowly().await.ok()? + 1)
    });
    assert_eq!(some, Some(4));
}

#[tokio::test]
async fn a_block_is_an_expression_like_others() {
    let flaky = Flaky::third();
    let twice = 2 * retry::block!(stop = attempts(5), wait = none(), on = any_error(), || flaky
        .ask())
    .unwrap();
    assert_eq!(twice, 6);
    let text = match retry::block!(stop = attempts(5), wait = none(), on = any_error(), async {
        flaky.ask_slowly().await
    }) {
        Ok(n) if n > 3 => "more",
        Ok(_) => "few",
        Err(Busy) => "busy",
    };
    assert_eq!(text, "more");
    let cell = Cell::new(0);
    let _ = retry::block!(stop = attempts(5), wait = none(), on = any_error(), || {
        cell.set(cell.get() + 1);
        Err::<(), _>(Busy)
    });
    assert_eq!(cell.get(), 5);
}

#[tokio::test]
async fn a_break_of_a_loop_around_does_not_meet_ours() {
    let flaky = Flaky::third();
    let found = 'outer: loop {
        let n = retry::block!(stop = attempts(2), wait = none(), on = any_error(), async {
            flaky.ask_slowly().await
        });
        match n {
            Ok(n) => break 'outer n,
            Err(Busy) => continue 'outer,
        }
    };
    assert_eq!(found, 3);
}

#[tokio::test]
async fn a_block_can_be_spawned() {
    let flaky = std::sync::Arc::new(Flaky::third());
    let task = tokio::spawn(async move {
        retry::block!(stop = attempts(5), wait = fixed(1ms), on = any_error(), async {
            flaky.ask_slowly().await
        })
    });
    assert_eq!(task.await.unwrap(), Ok(3));
}
