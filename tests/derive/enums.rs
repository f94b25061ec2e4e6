//! Each variant by its mark, also through the attribute.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use retry::{StopReason, Transient, Verdict, record_sync, retry, retry_with};

use crate::{S, verdicts};

#[derive(Debug, Transient)]
enum ApiError {
    #[transient]
    Unavailable,
    #[ambiguous]
    TimedOut,
    #[permanent]
    NotFound(u64),
    #[transient(retry_after = after, throttled)]
    TooMany { path: &'static str, after: Option<Duration> },
    #[ambiguous(throttled, retry_after = 1)]
    Slow(u16, Duration),
    #[transient(throttled)]
    Overloaded(),
    #[transient(forward)]
    Io(io::Error),
    #[transient(forward)]
    Shared { of: Arc<io::Error> },
    #[permanent()]
    Malformed {},
}

fn too_many(after: Option<Duration>) -> ApiError {
    ApiError::TooMany { path: "/", after }
}

#[test]
fn a_variant_means_what_its_mark_says() {
    let told = [
        (ApiError::Unavailable, Verdict::Retry),
        (ApiError::TimedOut, Verdict::Ambiguous),
        (ApiError::NotFound(7), Verdict::Final),
        (too_many(Some(2 * S)), Verdict::Retry.retry_after(2 * S).throttled()),
        (too_many(None), Verdict::Retry.throttled()),
        (too_many(Some(Duration::ZERO)), Verdict::Retry.retry_after(Duration::ZERO).throttled()),
        (ApiError::Slow(429, 3 * S), Verdict::Ambiguous.retry_after(3 * S).throttled()),
        (ApiError::Overloaded(), Verdict::Retry.throttled()),
        (ApiError::Malformed {}, Verdict::Final),
    ];
    for (error, verdict) in told {
        assert_eq!(error.verdict(), verdict, "{error:?}");
    }
}

#[test]
fn forward_takes_the_verdict_of_the_field_whatever_it_is() {
    for (kind, verdict) in [
        (io::ErrorKind::ConnectionRefused, Verdict::Retry),
        (io::ErrorKind::TimedOut, Verdict::Ambiguous),
        (io::ErrorKind::NotFound, Verdict::Final),
    ] {
        assert_eq!(ApiError::Io(kind.into()).verdict(), verdict);
        assert_eq!(ApiError::Shared { of: Arc::new(kind.into()) }.verdict(), verdict);
    }
}

/// The field of a forwarded variant keeps its hint.
#[derive(Transient)]
enum Outer {
    #[transient(forward)]
    Api(ApiError),
}

#[test]
fn forward_keeps_the_hint_and_the_throttling() {
    let told = Outer::Api(too_many(Some(S))).verdict();
    assert_eq!(told, Verdict::Retry.retry_after(S).throttled());
}

#[retry(stop = attempts(4), wait = fixed(10ms).throttled(fixed(20ms)), idempotent = safe)]
fn ask(safe: bool, errors: &mut Vec<ApiError>) -> Result<(), ApiError> {
    errors.pop().map_or(Ok(()), Err)
}

#[test]
fn the_attribute_needs_no_on_and_follows_the_marks() {
    let run = |safe, mut errors: Vec<ApiError>| {
        errors.reverse();
        let (_, reports) =
            record_sync(|| retry_with().virtual_time().sync_scope(|| ask(safe, &mut errors)));
        (reports[0].attempts(), reports[0].waited().as_millis(), reports[0].reason())
    };
    let all = || vec![ApiError::Unavailable, ApiError::Overloaded(), too_many(Some(S))];
    assert_eq!(run(false, all()), (4, 10 + 20 + 1000, StopReason::Success));
    assert_eq!(run(false, vec![ApiError::NotFound(1)]), (1, 0, StopReason::Permanent));
    assert_eq!(run(false, vec![ApiError::TimedOut]), (1, 0, StopReason::Ambiguous));
    assert_eq!(run(true, vec![ApiError::TimedOut]), (2, 10, StopReason::Success));
}

#[derive(Transient)]
enum Configured {
    #[cfg(test)]
    #[transient]
    Here,
    #[cfg(not(test))]
    NotHereAndNotMarked(NoSuchType),
    #[cfg_attr(test, permanent)]
    #[cfg_attr(not(test), transient)]
    Either,
    #[transient(retry_after = after)]
    Field {
        #[cfg(not(test))]
        after: NoSuchType,
        #[cfg(test)]
        after: Duration,
    },
    #[transient(forward)]
    One(#[cfg(not(test))] NoSuchType, #[cfg(test)] io::Error),
}

#[test]
fn variants_fields_and_marks_follow_cfg() {
    let refused = io::ErrorKind::ConnectionRefused.into();
    assert_eq!(
        verdicts([
            Configured::Here,
            Configured::Either,
            Configured::Field { after: S },
            Configured::One(refused)
        ]),
        [Verdict::Retry, Verdict::Final, Verdict::Retry.retry_after(S), Verdict::Retry]
    );
}

#[derive(Clone, Copy, Transient)]
#[non_exhaustive]
#[repr(u8)]
enum Numbered {
    #[permanent]
    #[non_exhaustive]
    First { code: u8 } = 3,
    #[transient]
    Second = 7,
}

#[test]
fn numbers_and_non_exhaustive_do_not_matter() {
    assert_eq!(
        verdicts([Numbered::First { code: 1 }, Numbered::Second]),
        [Verdict::Final, Verdict::Retry]
    );
}

/// A mark may be written by a macro, as may the whole.
macro_rules! errors {
    ($name:ident { $($(#[$mark:meta])* $variant:ident $(($($field:ty),*))?,)* }, $other:ident: $index:tt $after:ident) => {
        #[derive(Transient)]
        enum $name {
            $($(#[$mark])* $variant $(($($field),*))?,)*
            #[transient(retry_after = $index)]
            Indexed(u8, Duration),
            #[transient(retry_after = $after)]
            $other { $after: Duration },
        }
    };
}

errors!(Made { #[transient] A, #[permanent] B(u32), #[transient(forward)] C(io::Error), }, D: 1 wait);

#[test]
fn marks_can_be_written_by_a_macro() {
    let refused = io::ErrorKind::ConnectionRefused.into();
    assert_eq!(
        verdicts([Made::A, Made::B(1), Made::C(refused), Made::Indexed(1, S), Made::D { wait: S }]),
        [
            Verdict::Retry,
            Verdict::Final,
            Verdict::Retry,
            Verdict::Retry.retry_after(S),
            Verdict::Retry.retry_after(S)
        ]
    );
}

#[test]
fn an_enum_may_stand_in_a_function() {
    #[derive(Transient)]
    enum Local {
        #[transient]
        Busy,
    }
    assert_eq!(Local::Busy.verdict(), Verdict::Retry);
}
