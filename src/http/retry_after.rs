//! How long the server asks to wait.

use core::time::Duration;
use std::cell::LazyCell;
use std::time::SystemTime;

use ::http::header::{DATE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};

/// Not in a standard, and finer: some large services send it beside `Retry-After`.
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");

/// How long the server asks to be left alone, by the headers of its answer; `None` if it does not.
///
/// It reads `Retry-After` in both forms of RFC 9110, section 10.2.3:
///
/// - a number of seconds, which counts from now;
/// - a date, in the three formats of section 5.6.7, from which the answer's own `Date` is
///   subtracted, so that it does not matter if the clocks of the two sides differ. Without a `Date` it
///   is the clock of this machine, and the difference is rounded up to whole seconds, never down.
///   A date that has passed gives zero.
///
/// `retry-after-ms`, a number of milliseconds, is taken first: those that send it mean it as the finer
/// of the two.
///
/// Whatever is neither form is not there: other text, a sign, a fraction, digits that are not ASCII, a
/// date on the wrong day of the week, more than 2⁶⁴−1. So is a header that is there twice with
/// different meanings. What is long stays as it is: whether a call waits that long is decided by its
/// `max_hint` and its limit in time.
///
/// ```
/// use http::HeaderMap;
/// use retry::http::retry_after;
/// use std::time::Duration;
///
/// let mut headers = HeaderMap::new();
/// assert_eq!(retry_after(&headers), None);
/// headers.insert("retry-after", "120".parse()?);
/// assert_eq!(retry_after(&headers), Some(Duration::from_secs(120)));
///
/// headers.insert("date", "Fri, 31 Dec 1999 23:59:30 GMT".parse()?);
/// headers.insert("retry-after", "Fri, 31 Dec 1999 23:59:59 GMT".parse()?);
/// assert_eq!(retry_after(&headers), Some(Duration::from_secs(29)));
///
/// headers.insert("retry-after", "-1".parse()?);
/// assert_eq!(retry_after(&headers), None);
/// # Ok::<(), http::header::InvalidHeaderValue>(())
/// ```
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    asked(headers, wall_clock)
}

/// The same as [`retry_after`] where the time of this machine is `now`: for tests, and for answers
/// that were received earlier.
///
/// ```
/// use http::HeaderMap;
/// use retry::http::retry_after_at;
/// use std::time::{Duration, SystemTime};
///
/// let mut headers = HeaderMap::new();
/// headers.insert("retry-after", "Thu, 01 Jan 1970 00:01:00 GMT".parse()?);
/// let now = SystemTime::UNIX_EPOCH + Duration::from_millis(57_300);
/// assert_eq!(retry_after_at(&headers, now), Some(Duration::from_secs(3)));
/// # Ok::<(), http::header::InvalidHeaderValue>(())
/// ```
pub fn retry_after_at(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    asked(headers, || now)
}

fn asked(headers: &HeaderMap, now: impl FnOnce() -> SystemTime) -> Option<Duration> {
    let millis = |value: &_| number(value).map(Duration::from_millis);
    if let Some(wait) = agreed(headers, &RETRY_AFTER_MS, millis) {
        return Some(wait);
    }
    // One reading for all values, or two equal dates might differ.
    let sent = LazyCell::new(|| agreed(headers, &DATE, date).unwrap_or_else(now));
    agreed(headers, &RETRY_AFTER, |value| {
        let seconds = number(value).map(Duration::from_secs);
        seconds.or_else(|| date(value).map(|date| from_to(*sent, date)))
    })
}

/// What all values of a header mean, if they mean the same.
fn agreed<T: PartialEq>(
    headers: &HeaderMap,
    name: &HeaderName,
    read: impl Fn(&HeaderValue) -> Option<T>,
) -> Option<T> {
    let mut values = headers.get_all(name).iter().map(read);
    let first = values.next()??;
    values.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

fn number(value: &HeaderValue) -> Option<u64> {
    let digits = value.to_str().ok()?.trim();
    // `parse` takes a plus sign too.
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

fn date(value: &HeaderValue) -> Option<SystemTime> {
    httpdate::parse_http_date(value.to_str().ok()?).ok()
}

/// In whole seconds, rounded up: a date has no fractions, and to come early is to be sent away.
fn from_to(now: SystemTime, date: SystemTime) -> Duration {
    let left = date.duration_since(now).unwrap_or_default();
    let started = u64::from(left.subsec_nanos() > 0);
    Duration::from_secs(left.as_secs().saturating_add(started))
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn wall_clock() -> SystemTime {
    SystemTime::now()
}

/// The standard library has no clock in a browser and panics.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn wall_clock() -> SystemTime {
    use web_time::web::SystemTimeExt;
    web_time::SystemTime::now().to_std()
}
