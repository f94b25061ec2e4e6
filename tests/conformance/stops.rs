//! When to give up.

use std::time::Duration;

use retry::stop::Unbounded;
use retry::{State, Stop, stop};
use serde_json::Value;

use crate::reading::{attempt, duration, part, parts, seconds};
use crate::{Differences, Replayed, Row};

/// Any stop strategy. Optional, because an option promises nothing, so all have one type.
pub(crate) type AnyStop = Box<dyn Stop<Ends = Unbounded>>;

pub(crate) fn any_stop(stop: impl Stop + 'static) -> AnyStop {
    Box::new(Some(stop))
}

fn stop_of(strategy: &str, params: &Value) -> Option<AnyStop> {
    let limit = || duration(params, "max_delay", f64::INFINITY);
    Some(match strategy {
        "stop_never" => any_stop(stop::Never),
        "stop_after_attempt" => any_stop(stop::attempts(attempt(params, "max_attempt_number"))),
        "stop_after_delay" => any_stop(stop::elapsed(limit()?)),
        "stop_before_delay" => any_stop(stop::within(limit()?)),
        "stop_any" => {
            let mut any = any_stop(stop::Never);
            for part in stops(params, "any") {
                any = any_stop(stop::or(any, part?));
            }
            any
        }
        "stop_all" => {
            let mut all = any_stop(stop::attempts(0));
            for part in stops(params, "all") {
                all = any_stop(stop::and(all, part?));
            }
            all
        }
        "callable" if params["expr"] == "attempt == elapsed" => any_stop(stop::when(|state| {
            Duration::from_secs(u64::from(state.attempt())) == state.elapsed()
        })),
        _ => return None,
    })
}

fn stops<'a>(params: &'a Value, key: &str) -> impl Iterator<Item = Option<AnyStop>> + 'a {
    parts(params, key).iter().map(|stop| {
        let (name, params) = part(stop);
        stop_of(name, &params)
    })
}

pub(crate) fn replay_stop(row: &Row) -> Replayed {
    let stop = stop_of(&row.strategy, &row.params)?;
    let mut differences = Differences::default();
    for case in &row.cases {
        let state = State::new(attempt(case, "attempt"))
            .with_elapsed(seconds(case, "elapsed"))
            .with_delay(seconds(case, "upcoming_sleep"));
        if Some(stop.stop(&state)) != case["stop"].as_bool() {
            differences.wrong.push(format!("decides otherwise in {case}"));
        }
    }
    Some(differences)
}
