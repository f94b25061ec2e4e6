//! What a body may do: everything.

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::num::ParseIntError;

use anyhow::Context;
use retry::retry;

use crate::flaky::{Busy, Flaky};

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn returns_early(flaky: &Flaky, early: bool) -> Result<u32, Busy> {
    if early {
        return flaky.ask();
    }
    for _ in 0..10 {
        if flaky.ask().is_ok() {
            return Ok(100);
        }
    }
    Err(Busy)
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn returns_early_async(flaky: &Flaky, early: bool) -> Result<u32, Busy> {
    if early {
        return flaky.ask_slowly().await;
    }
    let n = match flaky.ask_slowly().await {
        Ok(n) => n,
        Err(busy) => return Err(busy),
    };
    Ok(100 + n)
}

#[tokio::test]
async fn an_early_return_ends_the_attempt_and_not_the_call() {
    assert_eq!(returns_early(&Flaky::third(), true), Ok(3));
    assert_eq!(returns_early(&Flaky::third(), false), Ok(100));
    assert_eq!(returns_early_async(&Flaky::third(), true).await, Ok(3));
    assert_eq!(returns_early_async(&Flaky::third(), false).await, Ok(103));
}

#[derive(Debug)]
enum Mine {
    Busy,
    /// Only ever looked at through `Debug`.
    #[allow(dead_code)]
    Parse(ParseIntError),
}

impl From<Busy> for Mine {
    fn from(_: Busy) -> Self {
        Self::Busy
    }
}

impl From<ParseIntError> for Mine {
    fn from(error: ParseIntError) -> Self {
        Self::Parse(error)
    }
}

#[retry(stop = attempts(5), wait = none(), on = matches(Err(Mine::Busy)))]
fn converts(flaky: &Flaky, text: &str) -> Result<u32, Mine> {
    let n = flaky.ask()?;
    Ok(text.parse::<u32>()? + n)
}

#[retry(stop = attempts(5), wait = none(), on = matches(Err(Mine::Busy)))]
async fn converts_async(flaky: &Flaky, text: &str) -> Result<u32, Mine> {
    let n = flaky.ask_slowly().await?;
    Ok(text.parse::<u32>()? + n)
}

#[tokio::test]
async fn a_question_mark_ends_the_attempt_and_converts_the_error() {
    assert_eq!(converts(&Flaky::third(), "4").unwrap(), 7);
    assert_eq!(converts_async(&Flaky::third(), "4").await.unwrap(), 7);
    let flaky = Flaky::third();
    assert!(matches!(converts(&flaky, "x"), Err(Mine::Parse(_))));
    assert_eq!(flaky.asked(), 3);
    assert!(matches!(converts_async(&flaky, "x").await, Err(Mine::Parse(_))));
    assert_eq!(flaky.asked(), 4);
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn any_anyhow(flaky: &Flaky) -> anyhow::Result<u32> {
    let n = flaky.ask_slowly().await.context("asking")?;
    anyhow::ensure!(n > 3, "only {n}");
    Ok("1".parse::<u32>()? + n)
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn any_boxed(flaky: &Flaky) -> Result<u32, Box<dyn Error>> {
    let n = flaky.ask()?;
    if n < 4 {
        Err("only a few")?;
    }
    Ok("1".parse::<u32>()? + n)
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn any_boxed_async(flaky: &Flaky) -> Result<u32, Box<dyn Error + Send + Sync>> {
    let n = flaky.ask_slowly().await?;
    if n < 4 {
        return Err("only a few".into());
    }
    Ok("1".parse::<u32>()? + n)
}

#[tokio::test]
async fn a_question_mark_boxes_the_error() {
    assert_eq!(any_anyhow(&Flaky::third()).await.unwrap(), 5);
    assert_eq!(any_boxed(&Flaky::third()).unwrap(), 5);
    assert_eq!(any_boxed_async(&Flaky::third()).await.unwrap(), 5);
    assert_eq!(any_boxed(&Flaky::never()).unwrap_err().to_string(), "busy");
    assert_eq!(any_anyhow(&Flaky::never()).await.unwrap_err().to_string(), "asking");
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn nested_closures(flaky: &Flaky) -> Result<u32, Busy> {
    let twice = || -> Result<u32, Busy> {
        let n = flaky.ask()?;
        Ok(n * 2)
    };
    let lenient = || Some(flaky.ask().ok()? + 1);
    // The inner failure is the closure's own.
    let first = twice().unwrap_or(0);
    match lenient() {
        Some(n) => Ok(first + n),
        None => Err(Busy),
    }
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn nested_blocks(flaky: &Flaky) -> Result<u32, Busy> {
    let ask = async {
        let n = flaky.ask_slowly().await?;
        Ok::<_, Busy>(n * 2)
    };
    let lenient = async || Some(flaky.ask_slowly().await.ok()? + 1);
    let first = ask.await.unwrap_or(0);
    match lenient().await {
        Some(n) => Ok(first + n),
        None => Err(Busy),
    }
}

#[tokio::test]
async fn a_question_mark_in_a_nested_closure_or_block_is_its_own() {
    // The second ask of the second attempt, after the first of it gave 2 * 3.
    assert_eq!(nested_closures(&Flaky::third()), Ok(6 + 5));
    assert_eq!(nested_blocks(&Flaky::third()).await, Ok(6 + 5));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn labels(flaky: &Flaky) -> Result<u32, Busy> {
    let mut rounds = 0;
    let n = 'outer: loop {
        loop {
            rounds += 1;
            if rounds < 3 {
                continue 'outer;
            }
            break 'outer flaky.ask();
        }
    }?;
    let tag = 'block: {
        if n == 3 {
            break 'block 10;
        }
        20
    };
    Ok(tag + rounds)
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn labels_async(flaky: &Flaky) -> Result<u32, Busy> {
    let found = 'search: {
        for row in 0..3 {
            for column in 0..3 {
                if row * column == 2 {
                    break 'search Some(row + column);
                }
            }
        }
        None
    };
    while flaky.asked() < 2 {
        flaky.ask_slowly().await?;
    }
    flaky.ask_slowly().await?;
    found.ok_or(Busy)
}

#[tokio::test]
async fn labels_and_breaks_stay_inside_the_body() {
    assert_eq!(labels(&Flaky::third()), Ok(13));
    let flaky = Flaky::third();
    assert_eq!(labels_async(&flaky).await, Ok(3));
    assert_eq!(flaky.asked(), 3);
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn items(flaky: &Flaky) -> Result<u32, Busy> {
    use std::result::Result as R;
    const FACTOR: u32 = 2;
    static CALLS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    struct Double(u32);
    impl Double {
        fn get(&self) -> u32 {
            self.0 * FACTOR
        }
    }
    fn ask(flaky: &Flaky) -> R<Double, Busy> {
        flaky.ask().map(Double)
    }
    macro_rules! ask {
        ($flaky:expr) => {
            ask($flaky)?
        };
    }
    CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    Ok(ask!(flaky).get())
}

#[test]
fn items_and_macros_inside_a_body_are_its_own() {
    assert_eq!(items(&Flaky::third()), Ok(6));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn tail_temporary(cell: &RefCell<Vec<u32>>) -> Result<u32, usize> {
    cell.borrow_mut().push(1);
    // The guard of the tail expression lives to the end of the attempt.
    cell.borrow().get(2).copied().ok_or(cell.borrow().len())
}

#[test]
fn what_an_attempt_borrows_is_given_back_before_the_next() {
    assert_eq!(tail_temporary(&RefCell::default()), Ok(1));
}

struct CountDrop<'a>(&'a Cell<u32>);

impl Drop for CountDrop<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn drops<'a>(flaky: &Flaky, cell: &'a Cell<u32>) -> Result<CountDrop<'a>, CountDrop<'a>> {
    match flaky.ask_slowly().await {
        Ok(_) => Ok(CountDrop(cell)),
        Err(_) => {
            // All errors before are gone.
            assert_eq!(cell.get() + 1, flaky.asked());
            Err(CountDrop(cell))
        }
    }
}

#[tokio::test]
async fn the_outcome_of_a_failed_attempt_is_gone_before_the_next() {
    let cell = Cell::new(0);
    let last = drops(&Flaky::third(), &cell).await;
    assert!(last.is_ok());
    assert_eq!(cell.get(), 2);
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn only_a_macro(flaky: &Flaky) -> Result<u32, Busy> {
    body!(flaky)
}

macro_rules! body {
    ($flaky:ident) => {{
        let n = $flaky.ask()?;
        Ok(n)
    }};
}
use body;

#[test]
fn a_body_may_be_a_macro_call() {
    assert_eq!(only_a_macro(&Flaky::third()), Ok(3));
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn let_else(flaky: &Flaky) -> Result<u32, &'static str> {
    let Ok(n) = flaky.ask_slowly().await else {
        return Err("busy");
    };
    Ok(n)
}

#[tokio::test]
async fn let_else_returns_from_the_attempt() {
    assert_eq!(let_else(&Flaky::third()).await, Ok(3));
}
