//! Names: whatever the user calls things, the expansion and the user's code do not meet.

// The names are the subject; so are types that hide the prelude's.
#![allow(
    clippy::items_after_statements,
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    clippy::unwrap_used,
    clippy::wildcard_imports
)]

extern crate retry as again;

/// Hides the real `core` from every path that does not start with `::`.
#[allow(dead_code)]
mod core {}

/// Hides the real `std` in the same way.
#[allow(dead_code)]
mod std {}

/// Counts down to a success.
#[derive(Debug)]
pub(crate) struct Flaky(::std::sync::atomic::AtomicU32);

impl Flaky {
    pub(crate) const fn third() -> Self {
        Self(::std::sync::atomic::AtomicU32::new(0))
    }

    pub(crate) fn ask(&self) -> Result<u32, Busy> {
        let n = self.asked() + 1;
        self.0.store(n, ::std::sync::atomic::Ordering::Relaxed);
        if n < 3 { Err(Busy) } else { Ok(n) }
    }

    pub(crate) fn asked(&self) -> u32 {
        self.0.load(::std::sync::atomic::Ordering::Relaxed)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// Arguments and locals with the names of the expansion's own variables, of strategies, of
/// conditions and of what the expansion calls.
mod arguments {
    use super::{Busy, Flaky};
    use retry::retry;

    macro_rules! argument {
        ($($name:ident)*) => {$(
            {
                /// In the body, in every kind of key, and as what is sent to an operator.
                #[retry(
                    stop = attempts($name) | (|s| s.attempt() >= $name) | within(1h),
                    wait = fixed(1us * $name).cap(1us * $name),
                    on = any_error() & |_| $name > 0,
                    max_hint = 1s * $name,
                    idempotent = $name > 0,
                    enabled = $name > 0,
                    sleep = |pause| assert!(pause < 1s * $name),
                )]
                fn sync($name: u32, flaky: &Flaky) -> Result<u32, Busy> {
                    let n = flaky.ask()?;
                    Ok(n + $name)
                }

                #[retry(
                    stop = attempts($name) | (|s| s.attempt() >= $name) | within(1h),
                    wait = fixed(1us * $name).cap(1us * $name),
                    on = any_error() & |_| $name > 0,
                    max_hint = 1s * $name,
                    idempotent = $name > 0,
                    enabled = $name > 0,
                    clone($name),
                )]
                async fn asynchronous($name: u32, flaky: &Flaky) -> Result<u32, Busy> {
                    tokio::task::yield_now().await;
                    let n = flaky.ask()?;
                    Ok(n + $name)
                }

                #[retry(stop = attempts(5), wait = none(), on = any_error())]
                fn local(flaky: &Flaky) -> Result<u32, Busy> {
                    let $name = flaky.ask()?;
                    Ok($name)
                }

                    assert_eq!(sync(7, &Flaky::third()), Ok(10));
                    assert_eq!(asynchronous(7, &Flaky::third()).await, Ok(10));
                    assert_eq!(local(&Flaky::third()), Ok(3));
                    let ($name, flaky) = (4, Flaky::third());
                    let outcome = retry::block!(
                        stop = attempts($name),
                        wait = fixed(1us * $name),
                        on = |_| $name > 0,
                        || flaky.ask().map(|n| n + $name)
                    );
                    assert_eq!(outcome, Ok(7));
            }
        )*};
    }

    #[tokio::test]
    async fn and_locals_may_have_any_name() {
        argument! {
            // The variables of the loop.
            call outcome error verdict pause granted enabled settled attempt it matched value
            // Strategies and conditions.
            attempts within elapsed until when none fixed exponential sequence by
            ok output any_error is transient
            // Keys, and what the library names.
            stop wait on sleep name site inside state result delay max min cap
            // Crates and modules.
            retry core std alloc
        }
    }
}

/// Items with the names of those in the expansion, outside and inside the function.
mod items {
    use super::{Busy, Flaky};
    use retry::retry;

    fn name() -> u32 {
        1
    }

    fn inside() -> u32 {
        10
    }

    static SITE: u32 = 100;

    #[retry(stop = attempts(name() + 4), wait = fixed(1us * inside()), on = |_| SITE == 100)]
    fn outer(flaky: &Flaky) -> Result<u32, Busy> {
        Ok(flaky.ask()? + name() + inside() + SITE)
    }

    #[retry(
        stop = attempts({ fn inside() -> u32 { 5 } inside() }),
        wait = none(),
        on = any_error(),
        idempotent = SITE == inside(),
        max_hint = 1s * SITE,
        name = "items",
    )]
    async fn inner(flaky: &Flaky) -> Result<u32, Busy> {
        static SITE: u32 = 1000;
        fn inside() -> u32 {
            5
        }
        Ok(flaky.ask()? + SITE + inside())
    }

    #[tokio::test]
    async fn of_the_users_are_the_users() {
        assert_eq!(outer(&Flaky::third()), Ok(114));
        assert_eq!(inner(&Flaky::third()).await, Ok(1008));
    }
}

/// Functions of the user's own that are called like strategies and conditions.
mod strategies {
    use super::{Busy, Flaky};
    use again::{State, stop, wait};
    use retry::retry;

    pub(crate) fn attempts(n: u32) -> stop::Attempts {
        stop::attempts(n + 1)
    }

    pub(crate) fn fixed(_: u32) -> impl again::Wait {
        wait::none()
    }

    pub(crate) fn any_error() -> impl Fn(&Busy) -> bool {
        |_| false
    }

    pub(crate) fn when(_: &State) -> bool {
        true
    }

    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn the_librarys(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }

    #[retry(stop = self::attempts(2), wait = self::fixed(1), on = !self::any_error())]
    fn by_self(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }

    #[retry(
        stop = crate::strategies::attempts(2) | attempts(9),
        wait = super::strategies::fixed(1),
        on = !crate::strategies::any_error(),
    )]
    async fn by_path(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }

    #[retry(stop = self::when | attempts(9), wait = none(), on = any_error())]
    fn by_name(flaky: &Flaky) -> Result<u32, Busy> {
        // Nothing stands in the way of calling it here.
        let _ = attempts(2);
        flaky.ask()
    }

    #[tokio::test]
    async fn of_the_users_are_reached_by_a_path() {
        let flaky = Flaky::third();
        assert_eq!((the_librarys(&flaky), flaky.asked()), (Err(Busy), 2));
        assert_eq!(by_self(&Flaky::third()), Ok(3));
        assert_eq!(by_path(&Flaky::third()).await, Ok(3));
        let flaky = Flaky::third();
        assert_eq!((by_name(&flaky), flaky.asked()), (Err(Busy), 1));
    }
}

/// Neither the prelude nor anything else is in scope.
mod bare {
    #![no_implicit_prelude]

    use ::again::retry;
    use ::core::result::Result::{self, Err, Ok};
    use ::core::{assert_eq, clone::Clone, iter::Iterator, option::Option};

    use super::{Busy, Flaky};

    #[retry(
        stop = attempts(5) | within(1h) | (|_| false) | Option::Some(9).map(attempts),
        wait = exponential(1us).cap(2us).full_jitter() + (|_| 1us).max(none()).times(1).then(none()),
        on = (is::<Busy>() | |_| false).at_most(9) & !error(|_| false) & matches(Err(_) | Ok(0)),
        enabled = true,
        idempotent,
        max_hint = clamp(1s),
    )]
    fn sync(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error(), clone(text))]
    async fn asynchronous<'a>(text: &'a str, flaky: &Flaky) -> Result<&'a str, Busy> {
        flaky.ask()?;
        Ok(text)
    }

    #[retry(stop = attempts(5), wait = none(), on = transient())]
    fn transient_io(flaky: &Flaky) -> ::std::io::Result<u32> {
        flaky.ask().map_err(|_| ::std::io::ErrorKind::ConnectionRefused.into_error())
    }

    trait IntoError {
        fn into_error(self) -> ::std::io::Error;
    }

    impl IntoError for ::std::io::ErrorKind {
        fn into_error(self) -> ::std::io::Error {
            ::core::convert::Into::into(self)
        }
    }

    #[retry(stop = attempts(5), wait = none(), on = source_is::<::std::io::Error>() | any_error())]
    fn boxed_error(flaky: &Flaky) -> Result<u32, ::std::boxed::Box<dyn ::core::error::Error>> {
        flaky.ask().map_err(|_| ::core::convert::Into::into("busy"))
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn future(
        flaky: &Flaky,
    ) -> ::core::pin::Pin<
        ::std::boxed::Box<dyn ::core::future::Future<Output = Result<u32, Busy>> + '_>,
    > {
        ::std::boxed::Box::pin(async move { flaky.ask() })
    }

    #[retry(stop = attempts(5), wait = none(), on = output(|n| *n == 0))]
    async fn value(flaky: &Flaky) -> u32 {
        flaky.ask().unwrap_or(0)
    }

    pub(super) async fn all() {
        assert_eq!(sync(&Flaky::third()), Ok(3));
        assert_eq!(asynchronous("text", &Flaky::third()).await, Ok("text"));
        assert_eq!(transient_io(&Flaky::third()).unwrap(), 3);
        assert_eq!(boxed_error(&Flaky::third()).unwrap(), 3);
        assert_eq!(future(&Flaky::third()).await, Ok(3));
        assert_eq!(value(&Flaky::third()).await, 3);
        let flaky = Flaky::third();
        let n: u32 = ::again::block!(forever, wait = none(), on = any_error(), || flaky.ask());
        assert_eq!(n, 3);
        let flaky = Flaky::third();
        let outcome = ::again::block!(stop = attempts(5), wait = none(), on = any_error(), async {
            flaky.ask()
        });
        assert_eq!(outcome, Ok(3));
        let policy = ::again::policy! {
            stop = attempts(5) | (|_| false),
            wait = fixed(1us).cap(1us) + none(),
            on = matches(Err(Busy)) & !is::<::std::fmt::Error>() | |_: &Busy| false,
            max_hint = clamp(1s),
            idempotent,
        };
        let flaky = Flaky::third();
        assert_eq!(policy.call(|| flaky.ask()), Ok(3));
        let all = [1_u32, 2].iter().copied().map(|n| Clone::clone(&n)).sum::<u32>();
        assert_eq!(all, 3);
    }
}

#[tokio::test]
async fn functions_work_without_a_prelude() {
    bare::all().await;
}

/// Everything that the expansion names is called something else here.
mod types {
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
}

/// The facade under another name, re-exported, and reached through a macro.
mod facade {
    use super::{Busy, Flaky};

    pub(crate) mod reexport {
        pub(crate) use again as retry;
    }

    #[again::retry(stop = attempts(5), wait = none(), on = any_error(), crate = ::again)]
    fn renamed(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }

    #[reexport::retry::retry(
        stop = attempts(5) | within(1h),
        wait = fixed(1us).cap(1us) + none(),
        on = any_error().at_most(9),
        crate = crate::facade::reexport::retry,
    )]
    async fn reexported(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }

    #[reexport::retry::retry(stop = attempts(5), wait = none(), on = any_error(), crate = self::reexport::retry)]
    fn by_self(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }

    /// As a library would write it for its users.
    macro_rules! retried {
        ($flaky:expr) => {
            $crate::facade::reexport::retry::block!(
                stop = attempts(5),
                wait = none(),
                on = any_error(),
                crate = $crate::facade::reexport::retry,
                || $flaky.ask()
            )
        };
    }

    macro_rules! made {
        ($stop:expr, $wait:expr, $on:expr, $error:ty) => {
            $crate::facade::reexport::retry::policy! {
                stop = $stop,
                wait = $wait,
                on = $on | is::<$error>(),
                crate = $crate::facade::reexport::retry,
            }
        };
    }

    #[tokio::test]
    async fn is_found_where_the_key_says() {
        let policy = made!(attempts(5) | |_| false, none(), |_: &Busy| true, ::std::fmt::Error);
        let flaky = Flaky::third();
        assert_eq!(policy.call(|| flaky.ask()), Ok(3));
        assert_eq!(renamed(&Flaky::third()), Ok(3));
        assert_eq!(reexported(&Flaky::third()).await, Ok(3));
        assert_eq!(by_self(&Flaky::third()), Ok(3));
        assert_eq!(retried!(Flaky::third()), Err(Busy));
        let flaky = Flaky::third();
        assert_eq!(retried!(flaky), Ok(3));
    }
}

/// Something called `retry` that is not the crate.
mod shadowed {
    use super::{Busy, Flaky};

    #[allow(dead_code)]
    mod retry {
        pub(super) mod __private {}
    }

    #[again::retry(stop = attempts(5), wait = none(), on = any_error())]
    fn beside_a_module(flaky: &Flaky) -> Result<u32, Busy> {
        flaky.ask()
    }

    #[test]
    fn does_not_hide_the_crate() {
        assert_eq!(beside_a_module(&Flaky::third()), Ok(3));
    }
}

/// Modules that a macro writes, with everything in them.
mod generated {
    macro_rules! client {
        ($module:ident, $client:ident, $($method:ident($($arg:ident: $ty:ty),*) -> $output:ty = $attempts:literal;)*) => {
            mod $module {
                use super::super::{Busy, Flaky};
                use retry::retry;

                pub(super) struct $client {
                    pub(super) flaky: Flaky,
                }

                impl $client {
                    $(
                        #[retry(
                            stop = attempts($attempts) | within(1h),
                            wait = fixed(1us),
                            on = |error| Self::is_busy(error),
                            clone($($arg),*),
                        )]
                        pub(super) async fn $method(&self, $($arg: $ty),*) -> Result<$output, Busy> {
                            let call = ($($arg),*);
                            self.flaky.ask()?;
                            Ok(call)
                        }
                    )*

                    fn is_busy(error: &Busy) -> bool {
                        *error == Busy
                    }
                }
            }
        };
    }

    client! { first, First, get(key: String) -> String = 5; }
    client! { second, Second, put(key: String, value: u8) -> (String, u8) = 3; few(key: u8) -> u8 = 2; }

    #[tokio::test]
    async fn of_a_macro_do_not_meet_each_other() {
        use super::{Busy, Flaky};
        let first = first::First { flaky: Flaky::third() };
        assert_eq!(first.get("key".to_owned()).await, Ok("key".to_owned()));
        let second = second::Second { flaky: Flaky::third() };
        assert_eq!(second.put("key".to_owned(), 1).await, Ok(("key".to_owned(), 1)));
        let second = second::Second { flaky: Flaky::third() };
        assert_eq!(second.few(1).await, Err(Busy));
    }
}

/// Programs of their own, since what they bring into scope would meet the rest of this file.
mod programs {
    use trybuild::TestCases;

    #[test]
    fn a_trait_for_everything_with_the_methods_that_describe_an_error() {
        TestCases::new().pass("tests/names/pass/blanket_describe.rs");
    }

    #[test]
    fn constants_called_like_the_variables_of_the_expansion() {
        TestCases::new().pass("tests/names/pass/lowercase_constants.rs");
    }
}
