//! Whatever a server sends.

use super::*;

use proptest::collection::vec;
use proptest::prelude::*;
use retry::http::{IdempotencyKey, retry_after_at, statuses};
use retry::{StopReason, record_sync, retry, retry_with};
use std::time::{Duration, SystemTime};

const NAMES: [&str; 3] = ["retry-after", "retry-after-ms", "date"];

/// Bytes, and what looks like something.
fn value() -> impl Strategy<Value = Vec<u8>> {
    let date = "(Mon|Sun|Sunday|Thu)(, | )([0-9]{2}|Nov)( |-)(Nov|Jan|Feb| 6)( |-)[0-9]{2,4} [0-9]{2}:[0-9]{2}:[0-9]{2}( GMT| [0-9]{4})?";
    let real = (0..=253_402_300_799_u64)
        .prop_map(|it| httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(it)));
    prop_oneof![
        vec(any::<u8>(), 0..40),
        "[ \t]?[-+]?[0-9]{0,24}[ \t]?".prop_map(String::into_bytes),
        date.prop_map(String::into_bytes),
        real.clone().prop_map(String::into_bytes),
        // One byte of a good date, changed.
        (real, 0..29_usize, any::<u8>()).prop_map(|(date, at, byte)| {
            let mut bytes = date.into_bytes();
            bytes[at] = byte;
            bytes
        }),
        any::<u64>().prop_map(|it| it.to_string().into_bytes()),
    ]
}

/// What may stand in an answer: the header's own type refuses the other bytes.
fn any_headers() -> impl Strategy<Value = HeaderMap> {
    vec((0..NAMES.len(), value()), 0..5).prop_map(|pairs| {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            if let Ok(value) = HeaderValue::from_bytes(&value) {
                headers.append(NAMES[name], value);
            }
        }
        headers
    })
}

fn any_moment() -> impl Strategy<Value = SystemTime> {
    (any::<bool>(), 0..1_u64 << 40, 0..1_000_000_000_u32).prop_map(|(before, secs, nanos)| {
        let away = Duration::new(secs, nanos);
        if before { SystemTime::UNIX_EPOCH - away } else { SystemTime::UNIX_EPOCH + away }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn a_hint_is_one_number_of_the_headers_or_whole_seconds(
        headers in any_headers(),
        now in any_moment(),
    ) {
        let hint = retry_after_at(&headers, now);
        prop_assert_eq!(hint, retry_after_at(&headers, now));
        if headers.get("retry-after").is_none() && headers.get("retry-after-ms").is_none() {
            prop_assert_eq!(hint, None);
        }
        if let (Some(hint), None) = (hint, headers.get("retry-after-ms")) {
            prop_assert_eq!(hint.subsec_nanos(), 0);
        }
    }

    #[test]
    fn seconds_are_a_hint_if_and_only_if_they_are_digits_that_fit(text in "[0-9]{1,22}") {
        let headers = headers(&[("retry-after", text.as_bytes())]);
        let hint = retry_after_at(&headers, SystemTime::UNIX_EPOCH);
        prop_assert_eq!(hint, text.parse().ok().map(Duration::from_secs));
    }

    #[test]
    fn an_attempt_is_never_made_before_a_date(
        (date, now) in (0..1_u64 << 36, any_moment()),
    ) {
        let date = SystemTime::UNIX_EPOCH + Duration::from_secs(date);
        let text = httpdate::fmt_http_date(date);
        let wait = retry_after_at(&headers(&[("retry-after", text.as_bytes())]), now).unwrap();
        prop_assert!(now + wait >= date);
        prop_assert!(wait.is_zero() || now + wait < date + Duration::from_secs(1));
    }

    #[test]
    fn no_key_goes_into_a_header_changed(key in any::<String>()) {
        if let Ok(good) = IdempotencyKey::new(&key) {
            prop_assert_eq!(good.as_str(), &key);
            let sent = HeaderValue::from(&good);
            prop_assert_eq!(sent.as_bytes(), key.trim().as_bytes());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn no_answer_makes_a_call_wait_longer_than_it_may(
        (headers, status) in (any_headers(), prop_oneof![Just(429), Just(503), 100..=999_u16]),
        most in 1..120_u64,
    ) {
        let most = Duration::from_secs(most);
        let call = || {
            #[retry(
                stop = attempts(4),
                wait = exponential(100ms).cap(1s),
                max_hint = most,
                on = output(|response| statuses::transient().verdict(response)),
                idempotent,
            )]
            fn call(status: u16, headers: &HeaderMap, most: Duration) -> Response<()> {
                let mut response = Response::new(());
                *response.status_mut() = status.try_into().unwrap_or_default();
                *response.headers_mut() = headers.clone();
                response
            }
            call(status, &headers, most)
        };
        let (response, reports) = record_sync(|| retry_with().virtual_time().sync_scope(call));
        prop_assert_eq!(response.status().as_u16(), status);
        for report in &reports {
            prop_assert!(report.delays().all(|delay| delay <= most), "{report:?}");
            if report.attempts() < 4 {
                prop_assert!(matches!(report.reason(), StopReason::HintTooLong | StopReason::Success));
            }
        }
    }
}
