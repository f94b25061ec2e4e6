//! Functions that `macro_rules!` writes, and keys that come through it.

use retry::retry;
use std::time::Duration;

use crate::flaky::{Busy, Flaky};

macro_rules! with_literals {
    ($name:ident, $attempts:literal, $delay:literal, $label:literal) => {
        #[retry(stop = attempts($attempts), wait = fixed($delay), on = any_error(), name = $label)]
        fn $name(flaky: &Flaky) -> Result<u32, Busy> {
            flaky.ask()
        }
    };
}

with_literals!(by_literals, 3, 1ms, "by literals");

macro_rules! with_expressions {
    ($name:ident, $stop:expr, $wait:expr) => {
        #[retry(stop = $stop, wait = $wait, on = any_error())]
        async fn $name(flaky: &Flaky) -> Result<u32, Busy> {
            flaky.ask_slowly().await
        }
    };
}

with_expressions!(by_expressions, attempts(3) | within(10s), fixed(1ms).cap(5ms).full_jitter());
with_expressions!(by_closure, attempts(3), |_| 1ms);
with_expressions!(by_path, 3.min(4).map_attempts(), self::my_wait);

trait MapAttempts {
    fn map_attempts(self) -> retry::stop::Attempts;
}

impl MapAttempts for u32 {
    fn map_attempts(self) -> retry::stop::Attempts {
        retry::stop::attempts(self)
    }
}

fn my_wait(_: &retry::State) -> Duration {
    Duration::from_millis(1)
}

macro_rules! with_arguments {
    ($name:ident, $attempts:expr, $delay:expr) => {
        #[retry(stop = attempts($attempts), wait = fixed($delay), on = any_error())]
        async fn $name(flaky: &Flaky) -> Result<u32, Busy> {
            flaky.ask_slowly().await
        }
    };
}

with_arguments!(by_arguments, 1 + 2, 1ms);

#[tokio::test]
async fn keys_come_through_a_macro_in_parts_or_whole() {
    let never = Flaky::never();
    assert_eq!(by_literals(&never), Err(Busy));
    assert_eq!(never.asked(), 3);
    let never = Flaky::never();
    assert_eq!(by_expressions(&never).await, Err(Busy));
    assert_eq!(never.asked(), 3);
    let never = Flaky::never();
    assert_eq!(by_closure(&never).await, Err(Busy));
    assert_eq!(never.asked(), 3);
    let never = Flaky::never();
    assert_eq!(by_path(&never).await, Err(Busy));
    assert_eq!(never.asked(), 3);
    let never = Flaky::never();
    assert_eq!(by_arguments(&never).await, Err(Busy));
    assert_eq!(never.asked(), 3);
}

macro_rules! with_condition {
    ($name:ident, $on:expr) => {
        #[retry(stop = attempts(3), wait = none(), on = $on)]
        fn $name(flaky: &Flaky) -> Result<u32, Busy> {
            flaky.ask()
        }
    };
    ($name:ident, path $on:path) => {
        #[retry(stop = attempts(3), wait = none(), on = $on)]
        fn $name(flaky: &Flaky) -> Result<u32, Busy> {
            flaky.ask()
        }
    };
    ($name:ident, tokens $($on:tt)*) => {
        #[retry(stop = attempts(3), wait = none(), on = $($on)*)]
        fn $name(flaky: &Flaky) -> Result<u32, Busy> {
            flaky.ask()
        }
    };
    ($name:ident, pattern $pattern:pat, type $type:ty) => {
        #[retry(stop = attempts(3), wait = none(), on = matches($pattern) & is::<$type>())]
        fn $name(flaky: &Flaky) -> Result<u32, Busy> {
            flaky.ask()
        }
    };
}

fn is_busy(busy: &Busy) -> bool {
    *busy == Busy
}

with_condition!(on_closure, |busy| is_busy(busy));
with_condition!(on_call, any_error());
with_condition!(on_joined, is::<Busy>() & !error(|_| false));
with_condition!(on_function, is_busy);
with_condition!(on_path, path self::is_busy);
with_condition!(on_tokens, tokens matches(Err(Busy) if true) | any_error().at_most(9));
with_condition!(on_pattern, pattern Err(_) | Ok(9..), type Busy);

#[test]
fn conditions_come_through_a_macro_in_every_kind_of_fragment() {
    for function in [on_closure, on_call, on_joined, on_function, on_path, on_tokens, on_pattern] {
        let never = Flaky::never();
        assert_eq!(function(&never), Err(Busy));
        assert_eq!(never.asked(), 3);
    }
}

macro_rules! method {
    ($self:ident, $name:ident, $limit:expr, $body:block) => {
        #[retry(stop = attempts($limit), wait = none(), on = any_error())]
        async fn $name(&$self) -> Result<u32, Busy> $body
    };
}

macro_rules! mut_method {
    ($self:ident, $name:ident, $($body:tt)*) => {
        #[retry(stop = attempts($self.limit), wait = none(), on = any_error())]
        async fn $name(&mut $self) -> Result<u32, Busy> {
            $($body)*
        }
    };
}

struct Client {
    flaky: Flaky,
    limit: u32,
}

impl Client {
    method!(self, fetch, self.limit, { self.flaky.ask_slowly().await });
    mut_method!(self, update, self.limit += 1; self.flaky.ask_slowly().await);
}

#[tokio::test]
async fn self_may_come_through_a_macro() {
    let client = || Client { flaky: Flaky::third(), limit: 5 };
    assert_eq!(client().fetch().await, Ok(3));
    assert_eq!(client().update().await, Ok(3));
}

macro_rules! whole_function {
    ($($function:item)*) => { $($function)* };
}

whole_function! {
    #[retry(stop = attempts(3) | within(10s), wait = fixed(1ms), on = any_error())]
    fn whole(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }
}

macro_rules! from_parts {
    ($(#[$attribute:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),*) -> $output:ty $body:block) => {
        $(#[$attribute])*
        $vis fn $name($($arg: $ty),*) -> $output $body
    };
}

from_parts! {
    /// Documented.
    #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error(), clone(text))]
    pub(crate) fn parts(flaky: &Flaky, text: String) -> Result<(u32, String), Busy> {
        let text = text;
        Ok((flaky.ask()?, text))
    }
}

#[cfg_attr(all(), retry(stop = attempts(3), wait = fixed(1ms), on = any_error()))]
fn conditional(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[test]
fn an_attribute_may_be_passed_on_with_its_function() {
    assert_eq!(whole(&Flaky::third()), Ok(3));
    assert_eq!(parts(&Flaky::third(), "x".to_owned()), Ok((3, "x".to_owned())));
    assert_eq!(conditional(&Flaky::third()), Ok(3));
}

macro_rules! future_type {
    ($name:ident, $output:ty) => {
        #[retry(stop = attempts(3), wait = none(), on = any_error())]
        fn $name(flaky: &Flaky) -> $output {
            Box::pin(async move { flaky.ask_slowly().await })
        }
    };
}

future_type!(boxed, ::futures::future::BoxFuture<'_, Result<u32, Busy>>);

#[tokio::test]
async fn the_type_of_a_future_may_come_through_a_macro() {
    assert_eq!(boxed(&Flaky::third()).await, Ok(3));
}

macro_rules! hygienic {
    ($name:ident) => {
        #[retry(stop = attempts(limit), wait = none(), on = any_error())]
        fn $name(flaky: &Flaky, limit: u32) -> Result<u32, Busy> {
            let n = flaky.ask()?;
            Ok(n + limit)
        }
    };
}

hygienic!(locals_of_the_macro);

#[test]
fn names_that_only_the_macro_knows_meet_each_other() {
    assert_eq!(locals_of_the_macro(&Flaky::third(), 3), Ok(6));
}

macro_rules! block {
    ($flaky:expr, $attempts:expr, $wait:expr) => {
        retry::block!(stop = attempts($attempts), wait = $wait, on = any_error(), || $flaky.ask())
    };
}

#[test]
fn a_block_may_be_wrapped_in_a_macro() {
    let flaky = Flaky::third();
    assert_eq!(block!(flaky, 2 + 1, fixed(1ms)), Ok(3));
}
