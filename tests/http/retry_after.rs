use super::*;

use retry::http::{retry_after, retry_after_at};
use std::time::{Duration, SystemTime};

/// Sun, 06 Nov 1994 08:49:37 GMT.
fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + secs(784_111_777)
}

/// What a single `Retry-After` of these bytes asks for, of a server that sends no `Date`.
fn asked(value: impl AsRef<[u8]>) -> Option<Duration> {
    retry_after_at(&headers(&[("retry-after", value.as_ref())]), now())
}

#[test]
fn seconds_are_read_as_they_are() {
    for (text, wait) in [("0", 0), ("1", 1), ("120", 120), ("007", 7), (" 5\t", 5)] {
        assert_eq!(asked(text), Some(secs(wait)), "{text}");
    }
}

#[test]
fn absurd_seconds_stay_for_the_limits_of_the_call() {
    assert_eq!(asked("31536000000"), Some(secs(31_536_000_000)));
    assert_eq!(asked(u64::MAX.to_string()), Some(secs(u64::MAX)));
    assert_eq!(asked(format!("{}1", "0".repeat(500))), Some(secs(1)));
}

#[test]
fn what_is_no_number_of_seconds_asks_for_nothing() {
    let junk = [
        "",
        " ",
        "-1",
        "-0",
        "+5",
        "1.5",
        "5.",
        "1e3",
        "0x10",
        "1_000",
        "5s",
        "5 s",
        "5 6",
        "5, 5",
        "5;q=1",
        "\"5\"",
        "soon",
        "never",
        "NaN",
        "inf",
        "null",
        "18446744073709551616",
        "99999999999999999999999999999999",
    ];
    for text in junk {
        assert_eq!(asked(text), None, "{text:?}");
    }
}

#[test]
fn digits_that_are_not_ascii_ask_for_nothing() {
    for text in ["٣٠", "３０", "१२", "3０", "²", "①"] {
        assert_eq!(asked(text), None, "{text}");
    }
    assert_eq!(asked(b"\xb25"), None, "not even UTF-8");
}

#[test]
fn a_date_in_each_of_the_three_formats_is_read() {
    let dates = [
        "Sun, 06 Nov 1994 08:50:07 GMT",
        "Sunday, 06-Nov-94 08:50:07 GMT",
        "Sun Nov  6 08:50:07 1994",
    ];
    for date in dates {
        assert_eq!(asked(date), Some(secs(30)), "{date}");
    }
}

#[test]
fn what_is_no_date_asks_for_nothing() {
    let junk = [
        "Mon, 06 Nov 1994 08:50:07 GMT",
        "Sun, 06 Nov 1994 08:50:07 UTC",
        "Sun, 06 Nov 1994 08:50:07 +0000",
        "Sun, 06 Nov 1994 08:50:07",
        "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:50:61 GMT",
        "Fri, 30 Feb 2029 08:50:07 GMT",
        "Sun, 00 Nov 1994 08:50:07 GMT",
        "Sun, 06 Nov 1899 08:50:07 GMT",
        "Sun, 06 Nov 11994 08:50:07 GMT",
        "Sun, 06 November 1994 08:50:07 GMT",
        "1994-11-06T08:50:07Z",
        "784111807.5",
    ];
    for text in junk {
        assert_eq!(asked(text), None, "{text}");
    }
}

#[test]
fn a_date_that_has_passed_asks_for_no_wait_more_than_the_backoff() {
    assert_eq!(asked("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
    assert_eq!(asked("Thu, 01 Jan 1970 00:00:00 GMT"), Some(Duration::ZERO));
}

#[test]
fn a_date_far_away_stays_for_the_limits_of_the_call() {
    assert_eq!(asked("Fri, 31 Dec 9999 23:59:59 GMT"), Some(secs(253_402_300_799 - 784_111_777)));
}

#[test]
fn the_time_until_a_date_is_rounded_up() {
    let headers = headers(&[("retry-after", b"Sun, 06 Nov 1994 08:49:39 GMT")]);
    for (passed, wait) in
        [(0, 2), (1, 2), (999, 2), (1000, 1), (1001, 1), (1999, 1), (2000, 0), (2001, 0)]
    {
        let hint = retry_after_at(&headers, now() + ms(passed));
        assert_eq!(hint, Some(secs(wait)), "{passed} ms later");
    }
    let nearly = now() + secs(2) - Duration::from_nanos(100);
    assert_eq!(retry_after_at(&headers, nearly), Some(secs(1)));
}

#[test]
fn a_clock_that_is_wrong_does_not_matter_if_the_answer_is_dated() {
    let headers = headers(&[
        ("date", b"Sun, 06 Nov 1994 08:49:37 GMT"),
        ("retry-after", b"Sun, 06 Nov 1994 08:50:37 GMT"),
    ]);
    for clock in
        [now() - secs(86_400), now(), now() + secs(86_400), SystemTime::UNIX_EPOCH - secs(1)]
    {
        assert_eq!(retry_after_at(&headers, clock), Some(secs(60)));
    }
    assert_eq!(retry_after(&headers), Some(secs(60)));
}

#[test]
fn a_date_of_the_answer_that_cannot_be_used_is_left_out() {
    let retry = ("retry-after", b"Sun, 06 Nov 1994 08:50:37 GMT".as_slice());
    let junk = headers(&[("date", b"today"), retry]);
    assert_eq!(retry_after_at(&junk, now() + secs(20)), Some(secs(40)));
    let two = headers(&[
        ("date", b"Sun, 06 Nov 1994 08:49:37 GMT"),
        ("date", b"Sun, 06 Nov 1994 08:49:38 GMT"),
        retry,
    ]);
    assert_eq!(retry_after_at(&two, now() + secs(20)), Some(secs(40)));
}

#[test]
fn the_date_of_the_answer_says_nothing_of_seconds() {
    let headers = headers(&[("date", b"Thu, 01 Jan 1970 00:00:00 GMT"), ("retry-after", b"5")]);
    assert_eq!(retry_after_at(&headers, now()), Some(secs(5)));
}

#[test]
fn without_a_date_of_the_answer_it_is_the_clock_of_this_machine() {
    let soon = httpdate::fmt_http_date(SystemTime::now() + secs(1000));
    let hint = retry_after(&headers(&[("retry-after", soon.as_bytes())])).unwrap();
    assert!((secs(900)..=secs(1000)).contains(&hint), "{hint:?}");
}

#[test]
fn two_headers_that_contradict_each_other_ask_for_nothing() {
    let asked = |values: &[&str]| {
        let pairs: Vec<_> = values.iter().map(|it| ("retry-after", it.as_bytes())).collect();
        retry_after_at(&headers(&pairs), now())
    };
    assert_eq!(asked(&["5", "6"]), None);
    assert_eq!(asked(&["5", "soon"]), None);
    assert_eq!(asked(&["soon", "5"]), None);
    assert_eq!(asked(&["5", "5", "6"]), None);
    assert_eq!(asked(&["5", "Sun, 06 Nov 1994 08:49:47 GMT"]), None);
    assert_eq!(asked(&["5", "05"]), Some(secs(5)), "the same, said twice");
    assert_eq!(asked(&["10", "Sun, 06 Nov 1994 08:49:47 GMT"]), Some(secs(10)));
}

#[test]
fn milliseconds_are_the_finer_hint() {
    let asked = |millis: &[&'static str], seconds: &[&'static str]| {
        let millis = millis.iter().map(|it| ("retry-after-ms", it.as_bytes()));
        let seconds = seconds.iter().map(|it| ("Retry-After", it.as_bytes()));
        retry_after_at(&headers(&millis.chain(seconds).collect::<Vec<_>>()), now())
    };
    assert_eq!(asked(&["1500"], &[]), Some(ms(1500)));
    assert_eq!(asked(&["0"], &["1"]), Some(ms(0)));
    assert_eq!(asked(&["1500"], &["2"]), Some(ms(1500)));
    assert_eq!(asked(&["1500"], &["soon"]), Some(ms(1500)));
    for junk in ["", "-1", "1.5", "1s", "+1", "٣", "18446744073709551616"] {
        assert_eq!(asked(&[junk], &[]), None, "{junk}");
        assert_eq!(asked(&[junk], &["2"]), Some(secs(2)), "{junk}");
    }
    assert_eq!(asked(&["100", "200"], &["2"]), Some(secs(2)));
    assert_eq!(asked(&["100", "200"], &[]), None);
    assert_eq!(asked(&["18446744073709551615"], &[]), Some(ms(u64::MAX)));
}
