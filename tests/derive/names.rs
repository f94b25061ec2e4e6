//! Whatever the user calls things, the expansion does not meet it.

use std::time::Duration;

use retry::{Transient, Verdict};

use crate::{S, verdicts};

/// Neither the prelude nor the real `core` and `std` are in scope, and the facade is called
/// something else.
mod bare {
    #![no_implicit_prelude]
    #![allow(non_camel_case_types, non_local_definitions)]

    mod core {}
    mod std {}
    mod retry {}

    pub(super) struct Option;
    struct Some;
    struct None;
    struct Result;
    struct Ok;
    struct Err;
    struct Duration;
    struct Verdict;
    struct u32;
    struct bool;

    #[derive(::again::Transient)]
    #[transient(crate = ::again)]
    pub(super) enum Bare<T> {
        #[transient]
        Some(Option),
        #[permanent]
        None,
        #[ambiguous(retry_after = error, throttled)]
        Err { error: ::core::time::Duration, ok: ::core::option::Option<::core::time::Duration> },
        #[transient(retry_after = ok)]
        Ok { error: ::core::time::Duration, ok: ::core::option::Option<::core::time::Duration> },
        #[transient(forward)]
        Forward(T),
    }

    #[derive(::again::Transient)]
    #[transient(crate = ::again, throttled)]
    pub(super) struct Marked;

    #[derive(::again::Transient)]
    #[transient(crate = ::again)]
    #[permanent]
    pub(super) struct MarkedBeside;
}

#[test]
fn errors_work_without_a_prelude_and_under_another_name() {
    use bare::Bare;
    let told = verdicts([
        Bare::Some(bare::Option),
        Bare::None,
        Bare::Err { error: S, ok: Some(2 * S) },
        Bare::Ok { error: S, ok: Some(2 * S) },
        Bare::Forward(bare::Marked),
    ]);
    let ambiguous = Verdict::Ambiguous.retry_after(S).throttled();
    let retry = Verdict::Retry;
    assert_eq!(
        told,
        [retry, Verdict::Final, ambiguous, retry.retry_after(2 * S), retry.throttled()]
    );
    assert_eq!(bare::MarkedBeside.verdict(), Verdict::Final);
}

mod facade {
    pub(crate) mod inner {
        pub(crate) use ::retry::*;
    }
}

#[derive(facade::inner::Transient)]
#[transient(crate = crate::names::facade::inner)]
enum ByPath {
    #[transient]
    Busy,
}

#[derive(facade::inner::Transient)]
#[transient(crate = self::facade::inner)]
enum ByRelativePath {
    #[permanent]
    Busy,
}

macro_rules! by_dollar_crate {
    () => {
        #[derive(facade::inner::Transient)]
        #[transient(crate = $crate::names::facade::inner, throttled)]
        struct ByDollarCrate;
    };
}

by_dollar_crate!();

#[test]
fn the_facade_may_be_exported_again() {
    assert_eq!(ByDollarCrate.verdict(), Verdict::Retry.throttled());
    assert_eq!(ByPath::Busy.verdict(), Verdict::Retry);
    assert_eq!(ByRelativePath::Busy.verdict(), Verdict::Final);
}

#[derive(Transient)]
enum r#Raw {
    #[transient(retry_after = r#type)]
    r#Async { r#type: Duration, r#fn: u32 },
    #[transient(forward)]
    r#Await { r#match: Box<Raw> },
    #[permanent]
    r#Dyn,
}

#[derive(Transient)]
#[transient(retry_after = r#in)]
#[allow(non_camel_case_types)]
struct r#struct {
    r#in: Option<Duration>,
}

#[test]
fn names_may_be_raw() {
    let after = || Raw::Async { r#type: S, r#fn: 1 };
    let hint = Verdict::Retry.retry_after(S);
    assert_eq!(
        verdicts([after(), Raw::Await { r#match: Box::new(after()) }, Raw::Dyn]),
        [hint, hint, Verdict::Final]
    );
    assert_eq!(r#struct { r#in: Some(S) }.verdict(), hint);
}

/// Fields, variants, parameters and methods called like what stands in the expansion.
#[derive(Transient)]
enum Clashing<Verdict, Transient, Hint> {
    #[transient(retry_after = verdict)]
    Retry { verdict: Duration, hint: Hint },
    #[permanent]
    Final(Verdict),
    #[ambiguous(retry_after = hint)]
    Ambiguous { verdict: Transient, hint: Option<Duration>, field: u8 },
}

impl<A, B, C> Clashing<A, B, C> {
    #[allow(non_upper_case_globals)]
    const Verdict: u8 = 1;

    fn retry_after(&self) {}

    fn throttled(self) {}

    fn verdict(&self) {}
}

#[test]
fn names_may_be_those_of_the_expansion() {
    type C = Clashing<u8, u8, u8>;
    assert_eq!(
        [
            C::Retry { verdict: S, hint: 1 },
            C::Final(1),
            C::Ambiguous { verdict: 1, hint: None, field: 1 }
        ]
        .map(|error| Transient::verdict(&error)),
        [Verdict::Retry.retry_after(S), Verdict::Final, Verdict::Ambiguous]
    );
}

/// Another type's methods of the same name are not what is asked.
#[derive(Clone, Copy)]
struct Loud;

impl Loud {
    fn verdict(self) -> Verdict {
        let _ = self;
        Verdict::Final
    }
}

impl Transient for Loud {
    fn verdict(&self) -> Verdict {
        Verdict::Retry
    }
}

#[derive(Transient)]
#[transient(forward)]
struct AsksTheTrait(Loud);

#[test]
fn a_forward_asks_the_trait() {
    assert_eq!(AsksTheTrait(Loud).verdict(), Verdict::Retry);
    assert_eq!(Loud.verdict(), Verdict::Final);
}

mod only_the_derive_is_in_scope {
    use retry::Transient as Known;

    #[derive(Known)]
    #[transient]
    pub(super) struct Busy;

    impl Busy {
        pub(super) fn is_retry(&self) -> bool {
            // The same name is the trait too.
            Known::verdict(self).is_retry()
        }
    }
}

mod constants {
    #![allow(non_upper_case_globals, non_camel_case_types)]

    use retry::Transient;

    const field: u8 = 1;
    const hint: u8 = 2;
    static error: u8 = 3;
    struct it;

    /// Constants are patterns where a variable is meant.
    #[derive(Transient)]
    pub(super) enum Among {
        #[transient(retry_after = field)]
        Constants { field: std::time::Duration, hint: u8, error: u8, it: u8 },
        #[transient(retry_after = 0)]
        Tuple(std::time::Duration),
    }
}

#[test]
fn constants_may_be_called_like_variables() {
    let among = constants::Among::Constants { field: S, hint: 1, error: 1, it: 1 };
    let hint = Verdict::Retry.retry_after(S);
    assert_eq!(verdicts([among, constants::Among::Tuple(S)]), [hint; 2]);
}

#[test]
fn one_import_brings_the_trait_and_the_derive() {
    assert!(only_the_derive_is_in_scope::Busy.is_retry());
}
