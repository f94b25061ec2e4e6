use super::*;

use http::{Method, StatusCode};
use retry::http::{Statuses, statuses};
use retry::{Transient, Verdict};

fn code(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap()
}

fn verdict(statuses: Statuses, status: u16) -> Verdict {
    statuses.verdict(&answer(status, &[]))
}

/// Every status that there can be and that is worth another attempt.
fn retried(statuses: Statuses) -> Vec<u16> {
    (100..=999).filter(|it| !verdict(statuses, *it).is_final()).collect()
}

#[test]
fn the_transient_ones_are_six() {
    assert_eq!(retried(statuses::transient()), [408, 425, 429, 502, 503, 504]);
    assert_eq!(retried(statuses::transient().with_500()), [408, 425, 429, 500, 502, 503, 504]);
    assert!(retried(statuses::none()).is_empty());
}

#[test]
fn a_set_of_ones_own_is_what_was_added_and_not_removed() {
    const OWN: Statuses = statuses::none()
        .with(StatusCode::CONTINUE)
        .with(StatusCode::ACCEPTED)
        .with(StatusCode::LOCKED)
        .with_code::<599>()
        .with_code::<999>()
        .without(StatusCode::ACCEPTED)
        .without(StatusCode::NOT_FOUND);
    assert_eq!(retried(OWN), [100, 423, 599, 999]);
    assert_eq!(OWN.with(StatusCode::LOCKED), OWN);
    assert_eq!(format!("{OWN:?}"), "{100, 423, 599, 999}");
    assert_eq!(format!("{:?}", statuses::none().keyed()), "{409}.idempotent()");
}

#[test]
fn every_status_alone_is_added_and_removed() {
    for number in 100..=999 {
        let one = statuses::none().with(code(number));
        assert_eq!(retried(one), [number]);
        assert_eq!(one.without(code(number)), statuses::none());
    }
}

#[test]
fn what_a_server_has_refused_is_retried_and_what_it_may_have_done_is_ambiguous() {
    let all = statuses::transient().with_500().with_code::<520>();
    for refused in [408, 425, 429, 503] {
        assert!(verdict(all, refused).is_retry(), "{refused}");
    }
    for doubtful in [500, 502, 504, 520] {
        assert!(verdict(all, doubtful).is_ambiguous(), "{doubtful}");
    }
}

#[test]
fn only_429_and_503_are_throttled() {
    let all = (100..=999).fold(statuses::none(), |it, number| it.with(code(number)));
    let throttled = (100..=999).filter(|it| verdict(all, *it).is_throttled());
    assert!(throttled.eq([429, 503]));
}

#[test]
fn every_retried_status_carries_the_hint_and_no_other_does() {
    let all = statuses::transient().with(StatusCode::CONFLICT);
    for status in [408, 409, 425, 429, 502, 503, 504] {
        let hint = all.verdict(&answer(status, &[("retry-after", "3")])).hint();
        assert_eq!(hint, Some(secs(3)), "{status}");
    }
    let moved = all.verdict(&answer(301, &[("retry-after", "3")]));
    assert_eq!(moved, Verdict::Final);
    assert_eq!(all.judge(code(301), Some(secs(3))), Verdict::Final);
}

#[test]
fn a_request_that_may_be_repeated_leaves_nothing_ambiguous() {
    let after = |method, keyed, status| {
        verdict(statuses::transient().with_500().for_request(&method, keyed), status)
    };
    for method in [Method::GET, Method::HEAD, Method::PUT, Method::DELETE] {
        assert!(after(method.clone(), false, 504).is_retry(), "{method}");
        assert!(after(method.clone(), false, 409).is_final(), "{method}");
    }
    for method in [Method::POST, Method::PATCH] {
        assert!(after(method.clone(), false, 504).is_ambiguous(), "{method}");
        assert!(after(method.clone(), false, 500).is_ambiguous(), "{method}");
        assert!(after(method.clone(), false, 429).is_retry(), "{method}");
        assert!(after(method, true, 504).is_retry());
    }
    assert!(verdict(statuses::transient().idempotent(), 502).is_retry());
}

#[test]
fn with_a_key_a_conflict_is_retried_and_a_wrong_key_is_not() {
    let keyed = statuses::transient().keyed();
    assert_eq!(retried(keyed), [408, 409, 425, 429, 502, 503, 504]);
    assert!(verdict(keyed, 409).is_retry());
    let lenient = statuses::transient().with_code::<400>().with_code::<422>();
    assert_eq!(retried(lenient.for_request(&Method::POST, true)), retried(keyed));
    assert_eq!(retried(keyed.with_code::<422>()).len(), 8, "what is said last holds");
}

#[test]
fn a_good_answer_passes_the_check_and_keeps_its_body() {
    let response = statuses::transient().check(Response::new("seven")).unwrap();
    assert_eq!(*response.body(), "seven");
    assert!(statuses::transient().check(answer(304, &[])).is_ok());
}

#[test]
fn a_bad_answer_is_an_error_that_knows_what_it_means() {
    let pending = statuses::transient().with(StatusCode::ACCEPTED);
    let error = |status, pairs: &[_]| pending.check(answer(status, pairs)).unwrap_err();
    let busy = error(429, &[("retry-after", "7")]);
    assert_eq!(busy.verdict(), Verdict::Retry.retry_after(secs(7)).throttled());
    assert_eq!((busy.status(), busy.retry_after()), (code(429), Some(secs(7))));
    assert_eq!(busy.to_string(), "429 Too Many Requests, to be retried after 7s");
    assert!(error(202, &[]).verdict().is_ambiguous());
    for status in [400, 404, 422, 499, 500, 501, 599] {
        let error = error(status, &[("retry-after", "7")]);
        assert!(error.verdict().is_final() && error.retry_after().is_none(), "{status}");
    }
    assert_eq!(error(599, &[]).to_string(), "599");
    assert_eq!(error(404, &[]).to_string(), "404 Not Found");
}
