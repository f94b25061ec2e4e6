//! Everything that the expansion names is called something else here.

#![allow(dead_code, non_camel_case_types, unused_macros)]

use super::Flaky;
use retry::retry;

struct Option;
struct Some;
struct None;
struct Duration;
struct Instant;
struct Verdict;
struct Delay;
struct State;
struct StopReason;
struct Call;
struct Judged;
struct Describe;
struct Site;
struct Failed;
struct Untimed;
struct Box;
struct String;
struct Vec;
struct str;
struct u64;
struct bool;

trait Stop {}
trait Wait {}
trait On {}
trait Outcome {}
trait Transient {}
trait Clone {}
trait Copy {}
trait Drop {}
trait Fn {}
trait FnMut {}
trait FnOnce {}
trait From {}
trait Into {}
trait Iterator {}
trait Future {}
trait Send {}
trait Sync {}
trait Sized {}
trait IntoStop {}
trait IntoWait {}
trait ByDisplay {}
trait ByDebug {}
trait ByName {}
trait Plain {}

type Result<T> = ::core::result::Result<T, super::Busy>;

/// Hides the variants of `Result`.
#[derive(Debug, PartialEq)]
enum Answer {
    Ok(u32),
    Err,
}
use Answer::{Err, Ok};

macro_rules! panic {
    () => {
        compile_error!("called")
    };
}
macro_rules! assert {
    () => {
        compile_error!("called")
    };
}
macro_rules! matches {
    () => {
        compile_error!("called")
    };
}

#[retry(
    stop = attempts(5) | within(1h) | (|_| false),
    wait = exponential(1us).cap(2us).full_jitter() + (|_| 1us),
    on = (is::<super::Busy>() | |_| false).at_most(9)
        & !error(|_| false)
        & matches(::core::result::Result::Err(_)),
    max_hint = clamp(1s),
    idempotent,
    enabled = text.len() == 4,
    clone(text),
)]
fn sync(text: &str2, flaky: &Flaky) -> Result<u32> {
    let _ = text;
    flaky.ask()
}

type str2 = ::core::primitive::str;

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn asynchronous(flaky: &Flaky) -> Result<u32> {
    let n = flaky.ask()?;
    ::core::result::Result::Ok(n)
}

#[retry(stop = attempts(5), wait = none(), on = matches(Err))]
fn own_answer(flaky: &Flaky) -> Answer {
    match flaky.ask() {
        ::core::result::Result::Ok(n) => Ok(n),
        ::core::result::Result::Err(_) => Err,
    }
}

#[tokio::test]
async fn of_the_users_are_not_taken_for_the_expansions() {
    ::core::assert_eq!(sync("text", &Flaky::third()), ::core::result::Result::Ok(3));
    ::core::assert_eq!(asynchronous(&Flaky::third()).await, ::core::result::Result::Ok(3));
    ::core::assert_eq!(own_answer(&Flaky::third()), Ok(3));
    let flaky = Flaky::third();
    let n = retry::block!(forever, wait = none(), on = any_error(), || flaky.ask());
    ::core::assert_eq!(n, 3_u32);
    let flaky = Flaky::third();
    let policy = retry::policy! {
        stop = attempts(5) | within(1h),
        wait = fixed(1us).cap(1us) + none(),
        on = matches(::core::result::Result::Err(_)) | any_error() & !is::<::std::fmt::Error>(),
        max_hint = 1s,
        idempotent = true,
    };
    ::core::assert_eq!(policy.call(|| flaky.ask()), ::core::result::Result::Ok(3));
}
