//! What is worth another attempt.

use std::error::Error;
use std::fmt;

use retry::on::OnError;
use retry::{On, State, Verdict, Wait, on, retry, wait};
use serde_json::Value;

use crate::reading::duration;
use crate::waits::Wanted;
use crate::{Differences, Replayed, Row};

type Failure = Box<dyn Error + Send + Sync>;
type Outcome = Result<Option<i64>, Failure>;

#[derive(Debug)]
enum Cause {
    Unknown,
    Itself,
    Other(Failure),
}

macro_rules! errors {
    ($($error:ident),*) => {$(
        #[derive(Debug)]
        struct $error {
            message: &'static str,
            cause: Cause,
        }

        impl fmt::Display for $error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.message)
            }
        }

        impl Error for $error {
            fn source(&self) -> Option<&(dyn Error + 'static)> {
                match &self.cause {
                    Cause::Unknown => None,
                    Cause::Itself => Some(self),
                    Cause::Other(cause) => Some(&**cause),
                }
            }
        }
    )*};
}

errors!(Exception, KeyError, NameError, OsError, ValueError);

/// The outcome a case names; `None` for what is no outcome in Rust: a cancelled future is
/// dropped, and a signal does not unwind the stack.
fn outcome(name: &str) -> Option<Outcome> {
    let name_error = || NameError { message: "no such name", cause: Cause::Unknown };
    // All messages but two are of another length than four, which one condition asks for.
    let caused = |cause: Failure| OsError { message: "outer", cause: Cause::Other(cause) }.into();
    Some(match name {
        "ok:1" => Ok(Some(1)),
        "ok:2" => Ok(Some(2)),
        "ok:None" => Ok(None),
        // There are no subclasses; what counts as a `ValueError` is one.
        "err:ValueError('boom')" | "err:subclass_of_ValueError('boom')" => {
            Err(ValueError { message: "boom", cause: Cause::Unknown }.into())
        }
        "err:OSError('disk full')" => {
            Err(OsError { message: "disk full", cause: Cause::Unknown }.into())
        }
        "err:empty_message" => Err(Exception { message: "", cause: Cause::Unknown }.into()),
        "err:OSError_caused_by_NameError" => Err(caused(name_error().into())),
        "err:OSError_caused_by_KeyError_caused_by_NameError" => {
            let cause = Cause::Other(name_error().into());
            Err(caused(KeyError { message: "key", cause }.into()))
        }
        "err:NameError_without_cause" => Err(name_error().into()),
        "err:cyclic_cause" => Err(OsError { message: "loop", cause: Cause::Itself }.into()),
        "err:cancelled(BaseException)" | "err:KeyboardInterrupt" => return None,
        _ => panic!("an outcome called {name}"),
    })
}

fn retries(condition: &impl OnError<Failure>, error: &Failure) -> bool {
    !condition.error_verdict(error).is_final()
}

/// A boxed error's sources can be asked for by the attribute, not by a condition as a value.
#[retry(stop = attempts(2), wait = none(), on = source_is::<NameError>())]
fn fails_by_a_name<'a>(error: &'a Failure, calls: &mut u32) -> Result<(), &'a Failure> {
    *calls += 1;
    Err(error)
}

fn is(error: &Failure, class: &str) -> bool {
    match class {
        "ValueError" => retries(&on::is::<ValueError>(), error),
        "OSError" => retries(&on::is::<OsError>(), error),
        _ => panic!("a class called {class}"),
    }
}

fn caused_by(error: &Failure, class: &str) -> bool {
    match class {
        "NameError" => {
            let mut calls = 0;
            fails_by_a_name(error, &mut calls).unwrap_err();
            calls == 2
        }
        _ => panic!("a class called {class}"),
    }
}

fn texts<'a>(params: &'a Value, key: &str) -> impl Iterator<Item = &'a str> {
    params[key].as_array().unwrap().iter().map(|text| text.as_str().unwrap())
}

fn verdict(strategy: &str, params: &Value, outcome: &Outcome) -> Option<Verdict> {
    let message =
        |text: &str| on::error(|error: &Failure| error.to_string() == text).verdict(outcome);
    Some(match strategy {
        "retry_never" => on::error(|_: &Failure| false).verdict(outcome),
        "retry_always" => on::any_error().verdict(outcome),
        "retry_if_exception_type" if params.get("types").is_none() => {
            on::any_error().verdict(outcome)
        }
        "retry_if_exception_type" => {
            on::error(|error: &Failure| texts(params, "types").any(|class| is(error, class)))
                .verdict(outcome)
        }
        "retry_if_not_exception_type" | "retry_unless_exception_type" => {
            let inside = verdict("retry_if_exception_type", params, outcome)?;
            (!on::error(|_: &Failure| inside)).verdict(outcome)
        }
        "retry_if_exception_cause_type" => {
            on::error(|error: &Failure| texts(params, "types").any(|class| caused_by(error, class)))
                .verdict(outcome)
        }
        "retry_if_exception" if params["predicate"] == "len(message) == 4" => {
            on::error(|error: &Failure| error.to_string().len() == 4).verdict(outcome)
        }
        "retry_if_exception_message" => match params["message"].as_str() {
            Some(text) => message(text),
            None => named(&format!("match {}", params["match"].as_str()?), outcome),
        },
        // Of the whole outcome, since it retries successes, which `!` of a condition does not.
        "retry_if_not_exception_message" => {
            on::output(|_: &Outcome| !message(params["message"].as_str().unwrap())).verdict(outcome)
        }
        "retry_if_result" => named(params["predicate"].as_str()?, outcome),
        "retry_if_not_result" => {
            on::ok(|_: &Option<i64>| !named(params["predicate"].as_str().unwrap(), outcome))
                .verdict(outcome)
        }
        "retry_any" => {
            let any = texts(params, "any").map(|condition| named(condition, outcome));
            any.fold(Verdict::Final, |any, verdict| any | verdict)
        }
        "retry_all" => {
            let all = texts(params, "all").map(|condition| named(condition, outcome));
            all.fold(Verdict::Retry, |all, verdict| all & verdict)
        }
        _ => return None,
    })
}

/// The conditions that the rows write in words.
fn named(condition: &str, outcome: &Outcome) -> Verdict {
    match condition.strip_prefix("result ").unwrap_or(condition) {
        "== 1" => on::ok(|value: &Option<i64>| *value == Some(1)).verdict(outcome),
        "is none" => on::ok(Option::<i64>::is_none).verdict(outcome),
        "is int" => on::ok(Option::<i64>::is_some).verdict(outcome),
        condition => on::error(|error: &Failure| match condition.strip_prefix("match ") {
            // A pattern matches from the start, and one that ends in a letter and a plus matches
            // what begins with that letter.
            Some(pattern) => error.to_string().starts_with(pattern.trim_end_matches('+')),
            None => is(error, condition),
        })
        .verdict(outcome),
    }
}

pub(crate) fn replay_predicate(row: &Row) -> Replayed {
    let mut differences = Differences::default();
    for case in &row.cases {
        let mut wanted = case["retry"].as_bool().unwrap();
        let Some(outcome) = outcome(case["outcome"].as_str().unwrap()) else {
            // What cannot be judged is not retried, and that is the defect of some rows.
            differences.wanted |= row.is_bug && wanted;
            continue;
        };
        if row.is_bug && outcome.is_ok() && wanted {
            wanted = false;
            differences.wanted = true;
        }
        if verdict(&row.strategy, &row.params, &outcome)?.is_final() == wanted {
            differences.wrong.push(format!("judges otherwise: {case}"));
        }
    }
    Some(differences)
}

/// With ours the condition says how long to wait, and a wait strategy finds it in the state.
pub(crate) fn replay_wait_by_error(row: &Row) -> Replayed {
    let mapped = |class: &str| duration(&row.params["map"], class, 0.0);
    let (value_error, other) = (mapped("ValueError")?, mapped("other")?);
    let wait = wait::by(|state| state.verdict().hint().unwrap_or_default());
    let mut differences = Differences::default();
    for case in &row.cases {
        let outcome: Outcome = match case["error"].as_str() {
            Some("ValueError") => Err(ValueError { message: "", cause: Cause::Unknown }.into()),
            Some(_) => Err(KeyError { message: "", cause: Cause::Unknown }.into()),
            None => Ok(None),
        };
        let judge = on::error(|error: &Failure| {
            let wait = if is(error, "ValueError") { value_error } else { other };
            Verdict::Retry.retry_after(wait)
        });
        let verdict = judge.verdict(&outcome);
        if case.get("raises").is_some() {
            // Theirs fails for want of an error. Ours is not asked: a success is final.
            if !verdict.is_final() {
                differences.wrong.push(format!("judges otherwise: {case}"));
            }
            continue;
        }
        let asked = |state: &State| wait.delay(&State::new(state.attempt()).with_verdict(verdict));
        differences.wrong.extend(Wanted::of(case, 1.0).check(&wait::by(asked), 1));
    }
    Some(differences)
}
