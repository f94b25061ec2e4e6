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

/// Who multiplies with whom, and to how many.
fn pairs(seen: &[Seen]) -> Vec<(&str, String, u64)> {
    let multiplied = seen.iter().filter(|it| it.message().starts_with("retries multiply"));
    let pair = |it: &'_ Seen| match (it.get("outer"), it.get("attempts")) {
        (Some(Value::Str(outer)), Some(Value::U64(attempts))) => (outer.clone(), *attempts),
        other => unreachable!("{other:?}"),
    };
    multiplied
        .map(|it| (it.name(), pair(it)))
        .map(|(inner, (outer, n))| (inner, outer, n))
        .collect()
}

#[test]
fn of_three_levels_each_warns_of_the_one_around_it() {
    #[retry(name = "level 3", stop = attempts(4), wait = none(), on = any_error())]
    fn third() -> Result<(), String> {
        Err("down".to_owned())
    }
    #[retry(name = "level 2", stop = attempts(3), wait = none(), on = any_error())]
    fn second() -> Result<(), String> {
        third()
    }
    #[retry(name = "level 1", stop = attempts(2), wait = none(), on = any_error())]
    fn first() -> Result<(), String> {
        second()
    }
    let seen = events(|| {
        first().unwrap_err();
    });
    let of = |level: &str| level.to_owned();
    assert_eq!(pairs(&seen), [("level 3", of("level 2"), 12), ("level 2", of("level 1"), 6)]);
}

#[test]
fn policies_that_are_called_multiply_too() {
    let inner = retry::policy! {
        name = "inner policy", stop = attempts(4), wait = none(), on = any_error()
    };
    #[retry(name = "around a policy", stop = attempts(2), wait = none(), on = any_error())]
    fn outer(call: impl Fn() -> Result<(), String>) -> Result<(), String> {
        call()
    }
    let seen = events(|| {
        outer(|| inner.call(|| Err("down".to_owned()))).unwrap_err();
    });
    assert_eq!(pairs(&seen), [("inner policy", "around a policy".to_owned(), 8)]);
}

#[test]
fn what_is_retried_once_inside_multiplies_nothing() {
    #[retry(name = "polite", stop = attempts(4), wait = none(), on = any_error(), nested = once)]
    fn polite() -> Result<(), String> {
        Err("down".to_owned())
    }
    #[retry(name = "around polite", stop = attempts(2), wait = none(), on = any_error())]
    fn outer() -> Result<(), String> {
        polite()
    }
    let seen = events(|| {
        outer().unwrap_err();
    });
    assert_eq!(pairs(&seen), []);
}

#[test]
fn a_task_warns_of_the_attempt_it_was_started_in_only_if_it_inherits() {
    use retry::Inherit as _;

    #[retry(name = "in a task", stop = attempts(4), wait = none(), on = any_error())]
    async fn inner() -> Result<(), String> {
        Err("down".to_owned())
    }
    #[retry(name = "around a task", stop = attempts(2), wait = none(), on = any_error())]
    async fn outer(inherits: bool) -> Result<(), String> {
        let task = if inherits { tokio::spawn(inner().inherit()) } else { tokio::spawn(inner()) };
        task.await.unwrap()
    }
    assert_eq!(pairs(&paused(async { outer(false).await })), []);
    let seen = paused(async { outer(true).await });
    assert_eq!(pairs(&seen), [("in a task", "around a task".to_owned(), 8)]);
}
