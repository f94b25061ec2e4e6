//! Replays what other retry libraries do, as recorded in `python_oracles.json`.
//!
//! A strategy of theirs is mapped to ours by [`replay`]; a row without a counterpart is listed
//! with the reason in [`WITHOUT_COUNTERPART`]. Where a row records a known defect, ours must
//! differ from it in the way the row's note asks for.

// A test reports by panicking, and the oracle file is part of the source.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod conditions;
mod reading;
mod stops;
#[path = "../support/mod.rs"]
mod support;
mod traces;
mod waits;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

/// Rows that nothing in this library answers to: by id, or by its start if that ends in `.` or `_`.
const WITHOUT_COUNTERPART: &[(&str, &str)] = &[
    ("tenacity.log.", "the wording of log lines; our events are structured fields"),
    (
        "tenacity.trace.slow_attempt_after_delay",
        "an attempt that hangs is cut off by a limit on the attempt, and there is none yet",
    ),
    // Protocols and guards.
    ("urllib3.retry_after.", "parses an HTTP header; the strategies know no protocol"),
    ("urllib3.is_retry", "judges HTTP responses; the strategies know no protocol"),
    ("urllib3.increment.", "counts HTTP failures by their kind; the strategies know no protocol"),
    ("urllib3.backoff.redirect_resets", "a redirect starts the backoff anew; nothing of ours does"),
    ("relprim.breaker.", "there is no circuit breaker yet"),
    (
        "article.amplification",
        "arithmetic on nested retries; a warning about it comes with nesting",
    ),
    ("article.breaker_cost", "there is no circuit breaker yet"),
    // What a type or a signature rules out.
    ("tenacity.wait_fixed.negative", "a `Duration` cannot be negative"),
    ("tenacity.wait_exponential.min_negative", "a `Duration` cannot be negative"),
    ("tenacity.wait_exponential.multiplier_negative", "a `Duration` cannot be negative"),
    (
        "tenacity.wait_incrementing.10_minus3",
        "a `Duration` cannot be negative: `linear` only grows",
    ),
    ("relprim.backoff.reject.base_delay_seconds", "a `Duration` cannot be negative"),
    ("relprim.backoff.reject.max_delay_seconds", "a `Duration` cannot be negative"),
    ("tenacity.wait_chain.empty", "`first.times(n).then(next)` has at least the two parts"),
    ("tenacity.wait_exponential_jitter.both", "the base has one name, so it cannot be given twice"),
    ("tenacity.retry.retry_if_exception_message.args_", "a function looks at the message"),
    // What ours does otherwise, on purpose.
    ("tenacity.wait_exponential.base0.5", "a factor below 1 counts as 1: no backoff shrinks"),
    ("python-backoff.decay.", "a factor below 1 counts as 1: no backoff shrinks"),
    ("relprim.backoff.reject.multiplier", "a factor below 1 counts as 1 where it is not a literal"),
    (
        "relprim.backoff.reject.base_delay_seconds_max_delay_seconds",
        "a cap below the base is the delay where the two are not literals",
    ),
    ("tenacity.wait_exponential.attempt_zero", "attempts count from 1; zero counts as 1"),
    ("article.printed_waits", "the numbers of Python's own random number generator"),
];

/// Rows with a defect that other rows have marked as one: the cap cuts off the jitter, and all
/// clients wait the same.
const CUT_OFF_AT_THE_CAP: &[&str] = &[
    "article.slots.wait_exponential_jitter",
    "stamina.backoff.max0.42",
    "stamina.backoff.overflow",
    "tenacity.wait_exponential_jitter.overflow",
];

struct Row {
    id: String,
    kind: String,
    library: String,
    strategy: String,
    params: Value,
    cases: Vec<Value>,
    is_bug: bool,
}

/// What came of replaying a row; `None` if there is no counterpart.
type Replayed = Option<Differences>;

#[derive(Default)]
struct Differences {
    /// What ours does and must not.
    wrong: Vec<String>,
    /// Whether ours does otherwise than the row says, as it must where the row is a defect.
    wanted: bool,
}

static ROWS: LazyLock<Vec<(Row, Replayed)>> = LazyLock::new(|| {
    let oracles: Value = serde_json::from_str(include_str!("python_oracles.json")).unwrap();
    let rows = oracles["rows"].as_array().unwrap().iter().map(|row| {
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        let row = Row {
            id: text("id"),
            kind: text("kind"),
            library: text("library"),
            strategy: text("strategy"),
            params: row["params"].clone(),
            cases: row["cases"].as_array().unwrap().clone(),
            is_bug: row["library_bug"].as_bool().unwrap_or(false),
        };
        let replayed = replay(&row);
        (row, replayed)
    });
    rows.collect()
});

fn replay(row: &Row) -> Replayed {
    match row.kind.as_str() {
        "wait" => waits::replay_wait(row),
        "stop" => stops::replay_stop(row),
        "predicate" => conditions::replay_predicate(row),
        "jitter" => waits::replay_jitter(row),
        "dispersion" => waits::replay_dispersion(row),
        "wait_by_error" => conditions::replay_wait_by_error(row),
        "trace" => traces::replay_trace(row),
        "table" => traces::replay_table(row),
        _ => None,
    }
}

#[test]
fn every_row_is_replayed_or_says_why_not() {
    let mut ids = BTreeSet::new();
    let mut used = BTreeSet::new();
    for (row, replayed) in ROWS.iter() {
        assert!(ids.insert(&row.id), "two rows are called {}", row.id);
        let reasons: Vec<_> =
            WITHOUT_COUNTERPART.iter().filter(|(id, _)| is_meant(id, &row.id)).collect();
        match (replayed, reasons.as_slice()) {
            (Some(_), []) => {}
            (None, [(id, _)]) => drop(used.insert(id)),
            (Some(_), _) => panic!("{} is replayed, and listed as if it were not", row.id),
            (None, []) => panic!("{} is neither replayed nor listed", row.id),
            (None, _) => panic!("{} is listed twice", row.id),
        }
    }
    for (id, _) in WITHOUT_COUNTERPART {
        assert!(used.contains(id), "no row is called {id}");
    }
    for id in CUT_OFF_AT_THE_CAP {
        assert!(ids.contains(&(*id).to_owned()), "no row is called {id}");
    }
}

fn is_meant(listed: &str, id: &str) -> bool {
    if listed.ends_with(['.', '_']) { id.starts_with(listed) } else { id == listed }
}

#[test]
fn waits_are_as_recorded() {
    assert_as_recorded("wait");
}

#[test]
fn stops_are_as_recorded() {
    assert_as_recorded("stop");
}

#[test]
fn conditions_judge_as_recorded() {
    assert_as_recorded("predicate");
}

#[test]
fn jitters_draw_from_the_recorded_ranges() {
    assert_as_recorded("jitter");
}

#[test]
fn clients_spread_out_as_recorded_or_wider() {
    assert_as_recorded("dispersion");
}

#[test]
fn whole_calls_run_as_recorded() {
    assert_as_recorded("trace");
}

#[test]
fn overrides_for_tests_do_as_recorded() {
    assert_as_recorded("table");
}

#[test]
fn a_wait_that_depends_on_the_error_is_as_recorded() {
    assert_as_recorded("wait_by_error");
}

/// All rows of a kind at once, so that a change shows everything it breaks.
fn assert_as_recorded(kind: &str) {
    let mut wrong = Vec::new();
    for (row, replayed) in ROWS.iter().filter(|(row, _)| row.kind == kind) {
        let Some(differences) = replayed else { continue };
        wrong.extend(differences.wrong.iter().map(|what| format!("{}: {what}", row.id)));
        let wanted = row.is_bug || CUT_OFF_AT_THE_CAP.contains(&row.id.as_str());
        if wanted && !differences.wanted {
            wrong.push(format!("{}: ours has the defect too", row.id));
        }
        if !wanted && differences.wanted {
            wrong.push(format!("{}: ours differs, and no defect is recorded", row.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
