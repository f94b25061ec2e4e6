//! Retries inside of retries.

use super::*;

#[retry(name = "inner five", stop = attempts(5), wait = none(), on = any_error())]
fn inner() -> Result<(), String> {
    Err("down".to_owned())
}

#[retry(name = "outer three", stop = attempts(3), wait = none(), on = any_error())]
fn outer() -> Result<(), String> {
    inner()
}

#[test]
fn the_first_failure_of_an_inner_call_warns_once_with_the_product_of_the_bounds() {
    let seen = events(|| {
        outer().unwrap_err();
        outer().unwrap_err();
    });
    let multiplied: Vec<_> =
        seen.iter().filter(|it| it.message().starts_with("retries multiply")).collect();
    assert_eq!(multiplied.len(), 1, "{multiplied:?}");
    assert_eq!(multiplied[0].level, Level::WARN);
    assert_eq!(multiplied[0].name(), "inner five");
    assert_eq!(
        multiplied[0].rest(),
        [("attempts", Value::U64(15)), ("outer", Value::Str("outer three".to_owned()))]
    );
    // Before the retry that makes it so.
    assert!(seen[0].message().starts_with("retries multiply"));
}

#[test]
fn a_call_that_is_not_nested_warns_of_nothing() {
    let seen = events(|| {
        inner().unwrap_err();
    });
    assert!(seen.iter().all(|it| !it.message().contains("multiply")));
}
