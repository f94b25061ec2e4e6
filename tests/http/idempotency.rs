use super::*;

use http::{Method, Request};
use retry::http::{IDEMPOTENCY_KEY, IdempotencyKey, is_idempotent};
use retry::retry;

#[test]
fn six_methods_of_the_standard_are_idempotent() {
    for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"] {
        assert!(is_idempotent(&method.parse::<Method>().unwrap()), "{method}");
    }
    // Methods are case-sensitive.
    for method in ["POST", "PATCH", "CONNECT", "get", "PURGE", "PROPFIND"] {
        assert!(!is_idempotent(&method.parse::<Method>().unwrap()), "{method}");
    }
}

#[test]
fn every_attempt_of_a_call_has_the_same_key_and_no_other_call_has_it() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn call(keys: &mut Vec<String>) -> Result<(), ()> {
        keys.push(IdempotencyKey::of_call().unwrap().as_str().to_owned());
        Err(())
    }
    let mut keys = Vec::new();
    call(&mut keys).unwrap_err();
    call(&mut keys).unwrap_err();
    assert!(keys[0] == keys[1] && keys[1] == keys[2]);
    assert!(keys[3] == keys[5] && keys[0] != keys[3]);
    assert_eq!(keys[0].len(), 36);
    assert_eq!(IdempotencyKey::of_call(), None, "outside of a call");
}

#[test]
fn a_key_goes_into_a_request_as_it_is() {
    let key = IdempotencyKey::new("\"order 7\"").unwrap();
    let request = Request::post("/").header(IDEMPOTENCY_KEY, &key).body(()).unwrap();
    assert_eq!(request.headers()["Idempotency-Key"], "\"order 7\"");
    assert_eq!(key.to_string(), "\"order 7\"");
    assert_eq!(HeaderValue::from(key), "\"order 7\"");
}

#[test]
fn a_key_that_a_header_would_change_or_refuse_says_what_is_wrong() {
    let faults = [
        ("", "be empty"),
        (" ", "start or end with a space"),
        (" a", "start or end with a space"),
        ("a ", "start or end with a space"),
        ("\t", "hold the control character '\\t' (at byte 0)"),
        ("a\r\nX-Admin: 1", "hold the control character '\\r' (at byte 1)"),
        ("a\0", "hold the control character '\\0' (at byte 1)"),
        ("a\u{7f}", "hold the control character '\\u{7f}' (at byte 1)"),
        ("é\u{85}", "hold 'é' (at byte 0), which is not ASCII"),
        ("a\u{85}", "hold the control character '\\u{85}' (at byte 1)"),
        ("order-№7", "hold '№' (at byte 6), which is not ASCII"),
        ("a\u{2028}b", "hold '\\u{2028}' (at byte 1), which is not ASCII"),
    ];
    for (key, fault) in faults {
        let error = IdempotencyKey::new(key).unwrap_err();
        assert_eq!(error.to_string(), format!("an idempotency key cannot {fault}"), "{key:?}");
    }
}

#[test]
fn every_character_that_a_header_carries_is_good_in_a_key() {
    let all: String = (b'!'..=b'~').map(char::from).collect();
    assert_eq!(IdempotencyKey::new(&all).unwrap().as_str(), all);
    for byte in 0..=u8::MAX {
        let key = format!("a{}b", char::from(byte));
        assert_eq!(IdempotencyKey::new(&key).is_ok(), (b' '..=b'~').contains(&byte), "{byte}");
    }
}
