//! A struct is one error, and carries the marks itself.

use std::io;
use std::time::Duration;

use retry::{Transient, Verdict};

use crate::S;

#[derive(Transient)]
#[transient]
struct Busy;

#[derive(Transient)]
#[permanent]
struct Malformed(String, u32);

#[derive(Transient)]
#[ambiguous(throttled)]
struct Slow {
    path: &'static str,
}

#[derive(Transient)]
#[transient(retry_after = retry_after, throttled)]
struct TooMany {
    path: &'static str,
    retry_after: Option<Duration>,
}

#[derive(Transient)]
#[ambiguous(retry_after = 1)]
struct Pair(u16, Duration);

#[derive(Transient)]
#[transient(forward)]
struct Wrapped(io::Error);

#[derive(Transient)]
#[transient(forward)]
struct Named {
    source: Box<dyn Transient + Send>,
}

#[test]
fn a_struct_means_what_its_mark_says() {
    assert_eq!(Busy.verdict(), Verdict::Retry);
    assert_eq!(Malformed(String::new(), 1).verdict(), Verdict::Final);
    assert_eq!(Slow { path: "/" }.verdict(), Verdict::Ambiguous.throttled());
    for retry_after in [None, Some(S)] {
        let told = TooMany { path: "/", retry_after }.verdict();
        assert_eq!((told.hint(), told.is_throttled(), told.is_retry()), (retry_after, true, true));
    }
    assert_eq!(Pair(1, S).verdict(), Verdict::Ambiguous.retry_after(S));
}

#[test]
fn a_struct_around_an_error_asks_it() {
    assert_eq!(Wrapped(io::ErrorKind::TimedOut.into()).verdict(), Verdict::Ambiguous);
    assert_eq!(Named { source: Box::new(Busy) }.verdict(), Verdict::Retry);
}
