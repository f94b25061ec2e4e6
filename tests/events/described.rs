//! `describe`: what events say of an outcome.

use std::cell::Cell;

use super::*;

#[derive(Debug)]
struct Secret(&'static str);

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "https://peer/?key={}", self.0)
    }
}

impl Secret {
    fn public(outcome: &Result<u32, Self>) -> &'static str {
        if outcome.is_err() { "refused" } else { "not ready" }
    }
}

fn errors(events: &[Seen]) -> Vec<Option<Value>> {
    events.iter().map(|event| event.get("error").cloned()).collect()
}

#[test]
fn leaves_a_secret_out_of_every_event() {
    #[retry(stop = attempts(2), wait = none(), on = any_error(), describe = Secret::public)]
    fn call() -> Result<u32, Secret> {
        Err(Secret("s3cr3t"))
    }
    let events = events(call);
    assert_eq!(errors(&events), [Some(text("refused")), Some(text("refused"))]);
    assert!(!format!("{events:?}").contains("s3cr3t"));
}

#[test]
fn tells_what_was_wrong_with_a_success_that_is_repeated() {
    #[retry(
        stop = attempts(attempts_in_all),
        wait = none(),
        on = ok(|status| *status == 503),
        describe = |outcome| format!("status {}", outcome.as_ref().unwrap_or(&0)),
    )]
    fn call(attempts_in_all: u32, calls: &mut u32) -> Result<u16, String> {
        *calls += 1;
        Ok(if *calls < 3 { 503 } else { 200 })
    }
    let status = || Some(text("status 503"));
    // Nothing is wrong with the last one.
    assert_eq!(errors(&events(|| call(9, &mut 0))), [status(), status(), None]);
    assert_eq!(errors(&events(|| call(2, &mut 0))), [status(), status()]);
}

#[test]
fn may_borrow_from_the_outcome_and_from_what_is_around() {
    #[retry(
        stop = attempts(2),
        wait = |_, _| 0s,
        on = output(|text| text.is_empty() || text == "busy"),
        after = |_, _| (),
        describe = |text| if text.is_empty() { nothing } else { text.as_str() },
    )]
    async fn call(nothing: &str, answers: &mut Vec<String>) -> String {
        answers.pop().unwrap_or_default()
    }
    let mut answers = vec!["busy".to_owned()];
    let events = paused(call("no answer", &mut answers));
    assert_eq!(errors(&events), [Some(text("busy")), Some(text("no answer"))]);
}

#[test]
fn is_asked_only_where_somebody_listens() {
    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        describe = |_| { asked.set(asked.get() + 1); "no" },
    )]
    fn call(asked: &Cell<u32>) -> Result<(), ()> {
        Err(())
    }
    #[retry(
        log = off,
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        describe = |_| { asked.set(asked.get() + 1); "no" },
    )]
    fn silent(asked: &Cell<u32>) -> Result<(), ()> {
        Err(())
    }
    let asked = Cell::new(0);
    call(&asked).unwrap_err();
    events(|| silent(&asked));
    assert_eq!(asked.get(), 0);
    events(|| call(&asked));
    assert_eq!(asked.get(), 3);
}
