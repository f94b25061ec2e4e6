#![allow(clippy::unwrap_used)] // a fixture that is no Rust is a mistake of the test

use proc_macro2::TokenStream;
use quote::quote;

use super::append::doc;
use super::*;
use crate::diagnose::Errors;
use crate::emit::function as expand;
use crate::read::keys as args;

/// Of an async function.
fn of(attribute: &str) -> String {
    told(attribute, true)
}

fn told(attribute: &str, cut: bool) -> String {
    let mut errors = Errors::default();
    let args = args::parse(attribute.parse().unwrap(), &mut errors);
    assert!(errors.is_empty(), "{attribute}: {}", errors.into_compile_error());
    paragraph(&args, cut)
}

#[test]
fn a_policy_of_literals_is_told_in_words_with_its_worst_case() {
    for (attribute, expected) in [
        (
            "stop = attempts(5) | within(30s), wait = exponential(100ms).cap(10s).full_jitter(), \
             on = ApiError::is_transient",
            "Retried: at most 5 attempts, none starting 30 s or later after the first; waits of \
             100 ms, doubling up to 10 s, full jitter; on `ApiError::is_transient`. Its own waits \
             come to at most 1.5 s.",
        ),
        (
            "stop = attempts(3), wait = none(), on = any_error()",
            "Retried: at most 3 attempts; no waits; on any error.",
        ),
        (
            "stop = within(2m), wait = fixed(1.5s).jitter_factor(0.2)",
            "Retried: no attempt starting 2 min or later after the first; waits of 1.5 s, jitter \
             by a factor of 0.2; on transient errors. It waits less than 2 min in all.",
        ),
        (
            "stop = attempts(9), wait = linear(1s, 500ms).cap(3s), on = transient(), idempotent",
            "Retried: at most 9 attempts; waits of 1 s, each 500 ms longer up to 3 s; on \
             transient errors; ambiguous failures too. Its own waits come to at most 19 s.",
        ),
        (
            "stop = attempts(4), wait = sequence([2s, 4s, 8s]), on = is::<Busy>().at_most(2)",
            "Retried: at most 4 attempts; waits of 2 s, then 4 s, then 8 s; on \
             `is::<Busy>().at_most(2)`. Its own waits come to at most 14 s.",
        ),
        (
            "stop = attempts(3), wait = exponential(1ms).factor(1.1), on = any_error()",
            "Retried: at most 3 attempts; waits of 1 ms, growing 1.1-fold; on any error. Its own \
             waits come to at most 2.1 ms.",
        ),
        (
            "stop = attempts(11), wait = decorrelated(100ms, 15s), on = any_error()",
            "Retried: at most 11 attempts; decorrelated waits from 100 ms up to 15 s; on any \
             error. Its own waits come to at most 1 min 42 s.",
        ),
        (
            "stop = attempts(4), wait = decorrelated(100ms, 15s).factor(5), on = any_error()",
            "Retried: at most 4 attempts; decorrelated waits from 100 ms up to 15 s, each up to 5 \
             times the one before; on any error. Its own waits come to at most 15.5 s.",
        ),
        (
            "stop = attempts(12), wait = fibonacci(10ms).jitter(5ms).floor(20ms), on = any_error()",
            "Retried: at most 12 attempts; waits of 10 ms times 1, 1, 2, 3, 5, …, and up to 5 ms \
             of jitter, at least 20 ms; on any error. Its own waits come to at most 2.385 s.",
        ),
        (
            "stop = attempts(3), wait = fixed(1s).full_jitter().unless_hinted(), on = any_error()",
            "Retried: at most 3 attempts; waits of 1 s, full jitter, unless the other side asks for \
             one; on any error. Its own waits come to at most 2 s.",
        ),
        (
            "stop = attempts(3), wait = random(0ms..50ms), on = !is_permanent",
            "Retried: at most 3 attempts; random waits from 0 s to 50 ms; on `!is_permanent`. \
             Its own waits come to at most 100 ms.",
        ),
    ] {
        assert_eq!(of(attribute), expected);
    }
}

#[test]
fn code_is_quoted_where_there_are_no_literals() {
    for (attribute, expected) in [
        (
            "stop = attempts(1 + retries), wait = by_kind, on = |e| e.code == 503",
            "Retried: at most `1 + retries` attempts; waits by `by_kind`; on `|e| e.code \
             == 503`.",
        ),
        (
            "stop = Some(max) | until(end), wait = fixed(every), on = ok(is_empty)",
            "Retried: no attempt once `Some(max)`, none starting at `end` or \
             later; waits of `every`; on `ok(is_empty)`.",
        ),
        (
            "stop = attempts(3) & elapsed(5s), wait = |s| s.delay() * 2, on = any_error()",
            "Retried: no attempt once `attempts(3) & elapsed(5s)`; waits by `|s| s.delay() * 2`; \
             on any error.",
        ),
        (
            "stop = elapsed(5s) | (|state| state.attempt() > n), wait = none(), \
             on = matches(Err(E::Busy) if retry) | (|e| e.is_slow()) & is::<E>()",
            "Retried: no attempt after a failure 5 s or later, none once `|state| state.attempt() \
             > n`; no waits; on `matches(Err(E::Busy) if retry) | (|e| e.is_slow()) & is::<E>()`.",
        ),
        (
            "stop = attempts(3), wait = exponential(1s).factor(f).cap(max) + fixed(1s), \
             on = transient(), idempotent = key.is_some(), enabled = cfg!(windows)",
            "Retried if `cfg!(windows)`: at most 3 attempts; waits by \
             `exponential(1s).factor(f).cap(max) + fixed(1s)`; on transient errors; ambiguous \
             failures too if `key.is_some()`.",
        ),
    ] {
        assert_eq!(of(attribute), expected);
    }
}

#[test]
fn what_the_reader_cannot_see_is_said_in_words() {
    for (attribute, expected) in [
        (
            "stop = self.policy.stop(), wait = self.policy.wait(), on = any_error()",
            "Retried: no attempt once a configured limit is reached; waits as configured; on any \
             error.",
        ),
        (
            "stop = CONFIG.stop(), wait = *config.wait(), on = any_error()",
            "Retried: no attempt once a configured limit is reached; waits as configured; on any \
             error.",
        ),
        (
            "stop = attempts(self.most) | within(self.limit) | until(self.end), \
             wait = exponential(self.base).factor(self.factor).cap(self.cap), on = |e| self.is_busy(e)",
            "Retried: at most as many attempts as configured, none starting a configured time or \
             later after the first, none starting at a configured time or later; waits of a \
             configured time, growing a configured factor-fold up to a configured time; on some \
             failures.",
        ),
        (
            "policy = &self.policy, deadline = self.deadline, enabled = self.on, \
             idempotent = self.key.is_some(), cancel = &self.stopped, budget = &self.budget, \
             breaker = self.breaker()",
            "Retried if enabled: by a configured policy; ambiguous failures too if configured; \
             deadline a configured time; can be cancelled; with a budget; with a breaker.",
        ),
    ] {
        assert_eq!(of(attribute), expected);
    }
}

#[test]
fn what_never_gives_up_says_so() {
    assert_eq!(
        of("forever, wait = fixed(1s), on = any_error()"),
        "Retried: without a limit; waits of 1 s; on any error."
    );
    assert_eq!(
        of("forever, stop = self.limit, wait = fixed(1s), on = any_error()"),
        "Retried: without a sure limit; no attempt once a configured limit is reached; waits of \
         1 s; on any error."
    );
}

#[test]
fn a_limit_in_time_bounds_what_is_longer_or_beyond_all_bounds() {
    assert_eq!(
        of("stop = attempts(5) | within(3s), wait = fixed(1s), on = any_error()"),
        "Retried: at most 5 attempts, none starting 3 s or later after the first; waits of 1 s; on \
         any error. It waits less than 3 s in all."
    );
    assert_eq!(
        of("stop = attempts(99), wait = exponential(1s), on = any_error()"),
        "Retried: at most 99 attempts; waits of 1 s, doubling; on any error."
    );
}

#[test]
fn a_policy_that_is_a_value_is_named() {
    assert_eq!(of("policy = self.policy"), "Retried: by a configured policy.");
    assert_eq!(
        of("policy = POLICY, stop = attempts(3), on = any_error()"),
        "Retried: at most 3 attempts; by `POLICY`; on any error."
    );
}

#[test]
fn a_call_that_may_start_anew_has_no_worst_case() {
    assert_eq!(
        of("stop = attempts(3), wait = fixed(1s), on = any_error(), reset = 1m"),
        "Retried: at most 3 attempts; waits of 1 s; on any error; anew after a healthy attempt."
    );
}

#[test]
fn limits_in_time_and_guards_are_named() {
    for (attribute, expected) in [
        (
            "stop = attempts(3), wait = fixed(1s), on = any_error(), idempotent, attempt_timeout = 2s",
            "Retried: at most 3 attempts; waits of 1 s; on any error; ambiguous failures too; each \
             attempt cut off after 2 s. Its own waits come to at most 2 s.",
        ),
        (
            "stop = attempts(2), wait = none(), on = any_error(), idempotent, \
             attempt_timeout = idle(self.patience)",
            "Retried: at most 2 attempts; no waits; on any error; ambiguous failures too; each \
             attempt cut off after a configured time without progress.",
        ),
        (
            "stop = attempts(3), wait = none(), on = any_error(), cancel = shutdown.cancelled(), \
             budget = &BUDGET, breaker = SEARCH.waiting(), nested = once",
            "Retried: at most 3 attempts; no waits; on any error; cancelled by \
             `shutdown.cancelled()`; budget `&BUDGET`; breaker `SEARCH.waiting()`; one attempt \
             inside another retried call.",
        ),
        (
            "stop = attempts(3), wait = none(), on = any_error(), nested = multiply",
            "Retried: at most 3 attempts; no waits; on any error.",
        ),
    ] {
        assert_eq!(of(attribute), expected);
    }
}

#[test]
fn a_deadline_bounds_the_whole_call_where_attempts_can_be_cut_off_and_else_the_waits() {
    let short = "stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = 20s";
    let told_of_short = "Retried: at most 3 attempts; waits of 1 s; on any error; deadline 20 s. \
                         Its own waits come to at most 2 s.";
    assert_eq!(told(short, true), format!("{told_of_short} The whole call takes at most 20 s."));
    assert_eq!(told(short, false), told_of_short);

    // Whatever else bounds the waits, or does not, the earlier is told.
    for (stop, anew) in [
        ("stop = attempts(9)", ""),
        ("stop = attempts(9) | within(5s)", ""),
        ("stop = self.limit, forever", ""),
        ("forever", ""),
        ("stop = attempts(9)", ", reset = 1m"),
    ] {
        let attribute = format!("{stop}, wait = fixed(1s), on = any_error(), deadline = 5s{anew}");
        let whole = " The whole call takes at most 5 s.";
        assert!(told(&attribute, true).ends_with(&format!(".{whole}")), "{attribute}");
        assert!(!told(&attribute, true).contains("waits less"), "{attribute}");
        let waits = " It waits less than 5 s in all.";
        assert!(told(&attribute, false).ends_with(waits), "{attribute}");
    }
    assert_eq!(
        of("stop = attempts(9) | within(2s), wait = fixed(1s), on = any_error(), deadline = 5s"),
        "Retried: at most 9 attempts, none starting 2 s or later after the first; waits of 1 s; \
         on any error; deadline 5 s. It waits less than 2 s in all. The whole call takes at most \
         5 s."
    );
}

#[test]
fn a_deadline_that_is_no_literal_is_quoted_and_bounds_nothing() {
    assert_eq!(
        of("stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = request.deadline"),
        "Retried: at most 3 attempts; waits of 1 s; on any error; deadline `request.deadline`. Its \
         own waits come to at most 2 s."
    );
}

#[test]
fn times_are_written_exactly() {
    for (time, expected) in [
        (Duration::ZERO, "0 s"),
        (Duration::from_nanos(5), "5 ns"),
        (Duration::from_micros(1_500), "1.5 ms"),
        (Duration::from_micros(20), "20 µs"),
        (Duration::from_secs(59), "59 s"),
        (Duration::from_millis(90_500), "1 min 30.5 s"),
        (Duration::from_secs(86_400 + 3_600), "1 d 1 h"),
    ] {
        assert_eq!(human(time), expected);
    }
    assert_eq!(ceil(Duration::from_nanos(1_600_000_024)), Duration::from_millis(1_601));
    assert_eq!(ceil(Duration::from_nanos(999_999_999)), Duration::from_secs(1));
    assert_eq!(ceil(Duration::from_millis(1_600)), Duration::from_millis(1_600));
}

/// The documentation of the expanded function, line by line.
fn lines(function: &TokenStream) -> Vec<String> {
    let attribute = quote!(stop = attempts(3), wait = fixed(1s), on = any_error());
    let expanded: syn::ItemFn = syn::parse2(expand::attribute(attribute, function)).unwrap();
    expanded.attrs.iter().filter_map(doc).collect()
}

const TOLD: &str =
    "Retried: at most 3 attempts; waits of 1 s; on any error. Its own waits come to at most 2 s.";

#[test]
fn the_expansion_ends_the_documentation_with_a_paragraph_of_its_own() {
    let function = quote! {
        /// Asks.
        ///
        /// - a list
        #[must_use]
        pub fn ask() -> Result<(), E> { Err(E) }
    };
    assert_eq!(
        lines(&function),
        [" Asks.", "", " - a list", "", &format!(" {TOLD}")],
        "indented as the rest"
    );
    let raw = quote! {
        #[doc = "Asks."]
        async fn ask() -> Result<(), E> { Err(E) }
    };
    assert_eq!(lines(&raw), ["Asks.", "", TOLD]);
    let included = quote! {
        #[doc = include_str!("ask.md")]
        fn ask() -> Result<(), E> { Err(E) }
    };
    assert_eq!(lines(&included).last().unwrap(), TOLD);
}

#[test]
fn an_undocumented_function_stays_undocumented() {
    for attrs in [quote!(), quote!(#[doc(hidden)]), quote!(#[inline]), quote!(#[doc = " "])] {
        let function = quote! { #attrs pub fn ask() -> Result<(), E> { Err(E) } };
        let lines = lines(&function);
        assert!(lines.iter().all(|line| line.trim().is_empty()), "{lines:?}");
    }
}

#[test]
fn a_code_block_that_is_left_open_is_left_alone() {
    let last = |docs: &[&str]| {
        let function = quote! {
            #(#[doc = #docs])*
            fn ask() -> Result<(), E> { Err(E) }
        };
        lines(&function).pop().unwrap()
    };
    for open in [
        &["Asks.", "```", "ask();"][..],
        &["~~~text", "```", "~~"],
        &["````", "```"],
        &["```", "```", "  ```rust", "code"],
        &["```", "```text"],
    ] {
        assert_eq!(last(open), *open.last().unwrap(), "{open:?}");
    }
    for closed in [
        &["```", "ask();", "```"][..],
        &["~~~", "```", "~~~~"],
        &["a ``` b"],
        &["```code``` in a line"],
        &["Asks.\n```\nask();\n```\n"],
    ] {
        assert_eq!(last(closed), TOLD, "{closed:?}");
    }
}
