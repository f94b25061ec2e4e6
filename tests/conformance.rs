//! Replays what other retry libraries do, as recorded in `conformance/python_oracles.json`.
//!
//! A strategy of theirs is mapped to ours by [`replay`]; a row without a counterpart is listed
//! with the reason in [`WITHOUT_COUNTERPART`]. Where a row records a known defect, ours must
//! differ from it in the way the row's note asks for.

// A test reports by panicking, and the oracle file is part of the source.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::sync::LazyLock;
use std::time::Duration;

use retry::stop::Unbounded;
// What the attribute makes of its conditions.
use retry::__private::on;
use retry::{State, Stop, Verdict, Wait, stop, wait};
use serde_json::{Map, Value, json};

/// Rows that nothing in this library answers to: by id, or by its start if that ends in `.` or `_`.
const WITHOUT_COUNTERPART: &[(&str, &str)] = &[
    // Whole calls. The recorded part is mostly the order of hooks and a library's statistics.
    ("tenacity.trace.", "the order of hooks in a whole call; there are no hooks yet"),
    ("stamina.trace.", "the order of hooks in a whole call; there are no hooks yet"),
    ("backoff.trace.", "the order of hooks in a whole call; there are no hooks yet"),
    ("tenacity.log.", "the wording of log lines; our events are structured fields"),
    ("stamina.testing.attempts", "overrides for tests; there are none yet"),
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

/// Enough for the recorded tolerances of the mean, which are at least four standard errors wide.
const DRAWS: u64 = 2_000;

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
    let oracles: Value =
        serde_json::from_str(include_str!("conformance/python_oracles.json")).unwrap();
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
        "wait" => replay_wait(row),
        "stop" => replay_stop(row),
        "predicate" => replay_predicate(row),
        "jitter" => replay_jitter(row),
        "dispersion" => replay_dispersion(row),
        "wait_by_error" => replay_wait_by_error(row),
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

// Reading the file.

/// A number; some are the text of a `timedelta`.
fn number(value: &Value) -> Option<f64> {
    let text = || value.as_str()?.strip_prefix("timedelta ")?.strip_suffix('s')?.parse().ok();
    value.as_f64().or_else(text)
}

fn parameter(params: &Value, key: &str, default: f64) -> f64 {
    match params.get(key) {
        Some(value) => {
            let number = number(value);
            let unit = if params["unit"] == "milliseconds" { 1e-3 } else { 1.0 };
            number.unwrap_or_else(|| panic!("{key} is not a number: {params}")) * unit
        }
        None => default,
    }
}

/// A parameter in seconds. `None` if it is negative: that is no duration, so nothing of ours can
/// be made of it.
fn duration(params: &Value, key: &str, default: f64) -> Option<Duration> {
    let seconds = parameter(params, key, default);
    (seconds >= 0.0).then(|| saturating(seconds))
}

/// A factor of growth. `None` if it shrinks what it is applied to, which ours do not.
fn growth(params: &Value, key: &str, default: f64) -> Option<f64> {
    let factor = parameter(params, key, default);
    (factor >= 1.0).then_some(factor)
}

/// Python's durations go further than ours; those are as good as endless.
fn saturating(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

fn seconds(case: &Value, key: &str) -> Duration {
    saturating(case[key].as_f64().unwrap())
}

fn attempt(case: &Value, key: &str) -> u32 {
    u32::try_from(case[key].as_u64().unwrap()).unwrap()
}

/// `["wait_random", 0, 3]` or `["wait_exponential", { … }]`: a name and parameters.
fn part(part: &Value) -> (&str, Value) {
    let [name, arguments @ ..] = part.as_array().unwrap().as_slice() else {
        panic!("no name: {part}")
    };
    let name = name.as_str().unwrap();
    let names: &[&str] = match name {
        "wait_fixed" => &["wait"],
        "wait_random" => &["min", "max"],
        "stop_after_delay" => &["max_delay"],
        "stop_after_attempt" => &["max_attempt_number"],
        _ => &[],
    };
    let params = match arguments {
        [params @ Value::Object(_)] => params.clone(),
        values => {
            assert_eq!(names.len(), values.len(), "{part}");
            let pairs = names.iter().map(|&name| name.to_owned()).zip(values.iter().cloned());
            Value::Object(pairs.collect::<Map<_, _>>())
        }
    };
    (name, params)
}

fn parts<'a>(params: &'a Value, key: &str) -> &'a [Value] {
    params[key].as_array().unwrap()
}

// Waits.

/// A strategy of another library, written with ours.
struct Ours {
    /// Every way to write it. All must answer alike.
    spellings: Vec<Box<dyn Wait>>,
    /// Cap and width of additive jitter. The others cut the jitter off at the cap; with ours it
    /// comes on top.
    additive: Option<(f64, f64)>,
}

impl<const N: usize> From<[Box<dyn Wait>; N]> for Ours {
    fn from(spellings: [Box<dyn Wait>; N]) -> Self {
        Self { spellings: spellings.into(), additive: None }
    }
}

fn boxed(wait: impl Wait + 'static) -> Box<dyn Wait> {
    Box::new(wait)
}

fn written_with_ours(row: &Row) -> Option<Ours> {
    let params = &row.params;
    let full_jitter = |backoff: wait::Exponential, cap| {
        Ours::from([boxed(backoff.cap(cap).full_jitter()), boxed(backoff.full_jitter().cap(cap))])
    };
    Some(match (row.library.as_str(), row.strategy.as_str()) {
        ("tenacity", strategy) => tenacity(strategy, params)?,
        ("stamina", "retry") => {
            let base = duration(params, "wait_initial", 0.1)?;
            let backoff = wait::exponential(base).factor(growth(params, "wait_exp_base", 2.0)?);
            let cap = duration(params, "wait_max", 5.0)?;
            additive(backoff, cap, duration(params, "wait_jitter", 1.0)?, Duration::ZERO)
        }
        ("backoff" | "python-backoff", "expo") => {
            let backoff = wait::exponential(duration(params, "factor", 1.0)?);
            let backoff = backoff.factor(growth(params, "base", 2.0)?);
            [boxed(backoff.cap(duration(params, "max_value", f64::INFINITY)?))].into()
        }
        ("backoff", "fibo") => {
            let cap = duration(params, "max_value", f64::INFINITY)?;
            [boxed(wait::fibonacci(Duration::from_secs(1)).cap(cap))].into()
        }
        ("backoff", "constant") => match params["interval"].as_array() {
            Some(list) => [boxed(wait::sequence(durations(list)))].into(),
            None => [boxed(wait::fixed(duration(params, "interval", 1.0)?))].into(),
        },
        // The same parameters as another row: that the count starts again is in the cases only.
        ("urllib3", _) if row.id.ends_with("redirect_resets") => return None,
        ("urllib3", "Retry.get_backoff_time") => {
            // The first retry comes at once, and the second waits twice the factor.
            let base = duration(params, "backoff_factor", 0.0)?.saturating_mul(2);
            let jitter = duration(params, "backoff_jitter", 0.0)?;
            let cap = duration(params, "backoff_max", 120.0)?;
            let Ours { spellings, additive } =
                additive(wait::exponential(base), cap, jitter, Duration::ZERO);
            let at_once = |then| boxed(wait::none().times(1).then(then));
            Ours { spellings: spellings.into_iter().map(at_once).collect(), additive }
        }
        ("httpcore", "exponential_backoff") => {
            let backoff = wait::exponential(duration(params, "factor", 0.5)?);
            [boxed(wait::none().times(1).then(backoff))].into()
        }
        ("retrying", "Retrying") => [retrying(params)?].into(),
        ("relprim", "ExponentialBackoff") => {
            let base = duration(params, "base_delay_seconds", 0.1)?;
            let backoff = wait::exponential(base).factor(growth(params, "multiplier", 2.0)?);
            let cap = duration(params, "max_delay_seconds", 10.0)?;
            match params["jitter"].as_bool() {
                Some(false) => [boxed(backoff.cap(cap))].into(),
                _ => full_jitter(backoff, cap),
            }
        }
        ("article", "article C backoff") => {
            let backoff = wait::exponential(duration(params, "base_delay", 1.0)?);
            let cap = duration(params, "max_delay", 30.0)?;
            [boxed(backoff.cap(cap).equal_jitter()), boxed(backoff.equal_jitter().cap(cap))].into()
        }
        ("article", "article D _full_jitter") => {
            let backoff = wait::exponential(duration(params, "base", 0.25)?);
            full_jitter(backoff, duration(params, "max", 3.0)?)
        }
        _ => return None,
    })
}

fn tenacity(strategy: &str, params: &Value) -> Option<Ours> {
    // (2⁶³ - 1) / 2; tenacity calls it `MAX_WAIT`.
    const NO_CAP: f64 = 4_611_686_018_427_387_904.0;
    let backoff = |base: &str| {
        let backoff = wait::exponential(duration(params, base, 1.0)?);
        Some(backoff.factor(growth(params, "exp_base", 2.0)?))
    };
    let floor = || duration(params, "min", 0.0);
    let cap = || duration(params, "max", NO_CAP);
    Some(match strategy {
        "wait_none" => [boxed(wait::none())].into(),
        "wait_fixed" => [boxed(wait::fixed(duration(params, "wait", 0.0)?))].into(),
        "wait_random" => [boxed(wait::random(floor()?..duration(params, "max", 1.0)?))].into(),
        "wait_incrementing" => {
            let start = duration(params, "start", 0.0)?;
            let step = duration(params, "increment", 100.0)?;
            [boxed(wait::linear(start, step).cap(cap()?))].into()
        }
        "wait_exponential" => {
            let (backoff, floor, cap) = (backoff("multiplier")?, floor()?, cap()?);
            [boxed(backoff.cap(cap).floor(floor)), boxed(backoff.floor(floor).cap(cap))].into()
        }
        "wait_random_exponential" => {
            let (backoff, floor, cap) = (backoff("multiplier")?, floor()?, cap()?);
            if floor.is_zero() {
                [boxed(backoff.cap(cap).full_jitter()), boxed(backoff.full_jitter().cap(cap))]
                    .into()
            } else {
                // The draw starts at the minimum. A floor would be another distribution: it
                // lifts all that was drawn below it to the same delay.
                let most = backoff.cap(cap).floor(floor);
                let draw = move |state: &State| {
                    wait::random(floor..most.delay(state).total()).delay(state)
                };
                [boxed(wait::by(draw))].into()
            }
        }
        "wait_exponential_jitter" => {
            let base = if params.get("multiplier").is_some() { "multiplier" } else { "initial" };
            additive(backoff(base)?, cap()?, duration(params, "jitter", 1.0)?, floor()?)
        }
        "wait_chain" => chain(parts(params, "strategies"))?,
        "wait_combine" => {
            let mut sum = boxed(wait::none());
            for term in parts(params, "sum") {
                let (name, params) = part(term);
                sum = boxed(wait::add(sum, tenacity(name, &params)?.spellings.pop()?));
            }
            [sum].into()
        }
        _ => return None,
    })
}

/// Exponential backoff with additive jitter, where the two orders of cap and jitter are one.
fn additive(backoff: wait::Exponential, cap: Duration, jitter: Duration, floor: Duration) -> Ours {
    Ours {
        spellings: vec![
            boxed(backoff.cap(cap).jitter(jitter).floor(floor)),
            boxed(backoff.jitter(jitter).floor(floor).cap(cap)),
        ],
        additive: Some((cap.as_secs_f64(), jitter.as_secs_f64())),
    }
}

/// One wait each, and the last for ever.
fn chain(strategies: &[Value]) -> Option<Ours> {
    let mut chain = None;
    let mut fixed = Some(Vec::new());
    for (place, strategy) in strategies.iter().enumerate().rev() {
        let (name, mut params) = part(strategy);
        if name == "wait_exponential" {
            // Theirs sees the number of the attempt; what follows a `then` counts from 1, so it
            // starts as high as theirs has climbed by then.
            let climbed = parameter(&params, "exp_base", 2.0).powi(i32::try_from(place).ok()?);
            params["multiplier"] = json!(parameter(&params, "multiplier", 1.0) * climbed);
        }
        if name != "wait_fixed" {
            fixed = None;
        }
        if let Some(fixed) = &mut fixed {
            fixed.insert(0, duration(&params, "wait", 0.0)?);
        }
        let wait = tenacity(name, &params)?.spellings.pop()?;
        chain = Some(match chain {
            None => wait,
            Some(next) => boxed(wait.times(1).then(next)),
        });
    }
    let mut spellings = vec![chain?];
    spellings.extend(fixed.map(|delays| boxed(wait::sequence(delays))));
    Some(Ours { spellings, additive: None })
}

/// Its keywords are independent of each other, and the longest wait counts.
fn retrying(params: &Value) -> Option<Box<dyn Wait>> {
    let mut longest = boxed(wait::none());
    if params.get("wait_fixed").is_some() {
        longest = boxed(longest.max(wait::fixed(duration(params, "wait_fixed", 0.0)?)));
    }
    if params.get("wait_incrementing_start").is_some() {
        let start = duration(params, "wait_incrementing_start", 0.0)?;
        let step = duration(params, "wait_incrementing_increment", 0.1)?;
        longest = boxed(longest.max(wait::linear(start, step)));
    }
    if params.get("wait_exponential_multiplier").is_some() {
        // Its exponent is the number of the attempt, not of the attempts before.
        let base = duration(params, "wait_exponential_multiplier", 0.0)?.saturating_mul(2);
        let cap = duration(params, "wait_exponential_max", f64::INFINITY)?;
        longest = boxed(longest.max(wait::exponential(base).cap(cap)));
    }
    Some(longest)
}

fn durations(list: &[Value]) -> Vec<Duration> {
    list.iter().map(|delay| saturating(delay.as_f64().unwrap())).collect()
}

/// What a case wants to see, in seconds.
struct Wanted {
    least: f64,
    most: f64,
    mean: Option<(f64, f64)>,
}

impl Wanted {
    fn of(case: &Value, unit: f64) -> Self {
        let exact = case["exact"].as_f64();
        let end = |key: &str| exact.or(case[key].as_f64()).expect("a number") * unit;
        let mean = case["mean"].as_f64();
        let mean = mean.map(|mean| (mean * unit, case["mean_tolerance"].as_f64().unwrap() * unit));
        Self { least: end("min"), most: end("max"), mean }
    }

    /// What is wrong with the delays of `wait` after this attempt.
    fn check(&self, wait: &dyn Wait, attempt: u32) -> Option<String> {
        let draws = if self.most > self.least { DRAWS } else { 10 };
        let delays: Vec<f64> = (0..draws)
            .map(|seed| wait.delay(&State::new(attempt).seeded(seed)).total().as_secs_f64())
            .collect();
        let least = delays.iter().copied().fold(f64::INFINITY, f64::min);
        let most = delays.iter().copied().fold(0.0, f64::max);
        // Relative 10⁻⁹, and one nanosecond for the rounding to whole ones.
        let slack = |value: f64| value * 1e-9 + 1e-9;
        let is_inside =
            least >= self.least - slack(self.least) && most <= self.most + slack(self.most);
        // All are drawn uniformly, so so many draws come close to either end: a strategy that
        // always answers the same would not.
        let close = (self.most - self.least) / 20.0 + slack(self.most);
        let is_spread = least <= self.least + close && most >= self.most - close;
        #[allow(clippy::cast_precision_loss)] // a few thousand
        let mean = delays.iter().sum::<f64>() / delays.len() as f64;
        let is_mean =
            self.mean.is_none_or(|(wanted, tolerance)| (mean - wanted).abs() <= tolerance);
        let is_right = is_inside && is_spread && is_mean;
        (!is_right).then(|| {
            format!(
                "attempt {attempt} waits {least}..={most}, on average {mean}, not {}..={} {:?}",
                self.least, self.most, self.mean
            )
        })
    }
}

fn replay_wait(row: &Row) -> Replayed {
    if row.cases.iter().any(|case| case["attempt"] == 0) {
        return None;
    }
    let ours = written_with_ours(row)?;
    let unit = if row.params["unit"] == "milliseconds" { 1e-3 } else { 1.0 };
    let mut differences = Differences::default();
    for case in &row.cases {
        let number = ["attempt", "retry", "consecutive_errors"];
        let number = number.into_iter().find(|key| case.get(key).is_some()).unwrap();
        let attempt = attempt(case, number);
        if attempt == 0 {
            // No error yet: nobody asks how long to wait.
            continue;
        }
        if case["exact"] == "exhausted" {
            // A list that ends is two things with ours, and the end is the `stop`.
            let length = u32::try_from(parts(&row.params, "interval").len()).unwrap();
            let stop = stop::attempts(length + 1);
            let gives_up = |attempt| stop.stop(&State::new(attempt));
            if !gives_up(attempt) || gives_up(attempt - 1) {
                differences.wrong.push(format!("the list does not end at attempt {attempt}"));
            }
            continue;
        }
        let mut wanted = Wanted::of(case, unit);
        if let Some((cap, jitter)) = ours.additive {
            // At the cap the jitter of the others is cut off, and ours is not.
            if (wanted.most - cap).abs() < 1e-9 && wanted.most < wanted.least + jitter - 1e-9 {
                wanted = Wanted { most: wanted.least + jitter, mean: None, ..wanted };
                differences.wanted = true;
            }
        }
        if row.id == "tenacity.wait_exponential.multiplier0.0_overflow" && wanted.most > 0.0 {
            wanted = Wanted { least: 0.0, most: 0.0, mean: None };
            differences.wanted = true;
        }
        let wrong = ours.spellings.iter().filter_map(|wait| wanted.check(wait, attempt));
        differences.wrong.extend(wrong);
    }
    Some(differences)
}

fn replay_jitter(row: &Row) -> Replayed {
    let mut differences = Differences::default();
    for case in &row.cases {
        let value = wait::fixed(seconds(case, "value"));
        let wait = match row.strategy.as_str() {
            "full_jitter" => boxed(value.full_jitter()),
            "random_jitter" => boxed(value.jitter(Duration::from_secs(1))),
            _ => return None,
        };
        differences.wrong.extend(Wanted::of(case, 1.0).check(&wait, 1));
    }
    Some(differences)
}

fn replay_dispersion(row: &Row) -> Replayed {
    let secs = Duration::from_secs;
    let backoff = wait::exponential(Duration::from_millis(500));
    let cap = duration(&row.params, "cap", 8.0)?;
    let wait = match row.strategy.as_str() {
        "wait_exponential" => boxed(backoff.cap(cap)),
        "wait_random_exponential" => boxed(backoff.cap(cap).full_jitter()),
        "wait_exponential_jitter" => boxed(backoff.jitter(secs(1)).cap(cap)),
        "wait_exponential + wait_random(0,1)" => {
            boxed(backoff.cap(cap) + wait::random(secs(0)..secs(1)))
        }
        _ => return None,
    };
    let mut differences = Differences::default();
    for case in &row.cases {
        let slot = case["slot_seconds"].as_f64().unwrap();
        #[allow(clippy::cast_possible_truncation)] // a few dozen
        let slots: BTreeSet<_> = (0..case["clients"].as_u64().unwrap())
            .map(|client| {
                let state = State::new(attempt(case, "attempt")).seeded(client);
                (wait.delay(&state).total().as_secs_f64() / slot).round() as i64
            })
            .collect();
        let mut wanted = attempt(case, "distinct_min")..=attempt(case, "distinct_max");
        if row.strategy == "wait_exponential_jitter" {
            // One second of jitter on top of the cap.
            wanted = 11..=11;
            differences.wanted = true;
        }
        if !wanted.contains(&u32::try_from(slots.len()).unwrap()) {
            differences.wrong.push(format!("{} slots, not {wanted:?}", slots.len()));
        }
    }
    Some(differences)
}

// Stops.

/// Any stop strategy. Optional, because an option promises nothing, so all have one type.
type AnyStop = Box<dyn Stop<Ends = Unbounded>>;

fn any_stop(stop: impl Stop + 'static) -> AnyStop {
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

fn replay_stop(row: &Row) -> Replayed {
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

// Conditions.

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

fn is(error: &Failure, class: &str) -> bool {
    match class {
        "ValueError" => on::IsDyn::is::<ValueError>(error),
        "OSError" => on::IsDyn::is::<OsError>(error),
        _ => panic!("a class called {class}"),
    }
}

fn caused_by(error: &Failure, class: &str) -> bool {
    match class {
        "NameError" => on::SourceIsDyn::source_is::<NameError>(&**error),
        _ => panic!("a class called {class}"),
    }
}

fn texts<'a>(params: &'a Value, key: &str) -> impl Iterator<Item = &'a str> {
    params[key].as_array().unwrap().iter().map(|text| text.as_str().unwrap())
}

fn verdict(strategy: &str, params: &Value, outcome: &Outcome) -> Option<Verdict> {
    let message = |text: &str| on::error(outcome, |error| error.to_string() == text);
    Some(match strategy {
        "retry_never" => on::error(outcome, |_| false),
        "retry_always" => on::any_error(outcome),
        "retry_if_exception_type" if params.get("types").is_none() => on::any_error(outcome),
        "retry_if_exception_type" => {
            on::error(outcome, |error| texts(params, "types").any(|class| is(error, class)))
        }
        "retry_if_not_exception_type" | "retry_unless_exception_type" => {
            on::not(outcome, verdict("retry_if_exception_type", params, outcome)?)
        }
        "retry_if_exception_cause_type" => {
            on::error(outcome, |error| texts(params, "types").any(|class| caused_by(error, class)))
        }
        "retry_if_exception" if params["predicate"] == "len(message) == 4" => {
            on::error(outcome, |error| error.to_string().len() == 4)
        }
        "retry_if_exception_message" => match params["message"].as_str() {
            Some(text) => message(text),
            None => named(&format!("match {}", params["match"].as_str()?), outcome),
        },
        // Of the whole outcome, since it retries successes, which `!` of a condition does not.
        "retry_if_not_exception_message" => {
            on::output(outcome, |_| !message(params["message"].as_str().unwrap()))
        }
        "retry_if_result" => named(params["predicate"].as_str()?, outcome),
        "retry_if_not_result" => {
            on::ok(outcome, |_| !named(params["predicate"].as_str().unwrap(), outcome))
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
        "== 1" => on::ok(outcome, |value| *value == Some(1)),
        "is none" => on::ok(outcome, Option::is_none),
        "is int" => on::ok(outcome, Option::is_some),
        condition => on::error(outcome, |error| match condition.strip_prefix("match ") {
            // A pattern matches from the start, and one that ends in a letter and a plus matches
            // what begins with that letter.
            Some(pattern) => error.to_string().starts_with(pattern.trim_end_matches('+')),
            None => is(error, condition),
        }),
    }
}

fn replay_predicate(row: &Row) -> Replayed {
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
fn replay_wait_by_error(row: &Row) -> Replayed {
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
        let verdict = on::error(&outcome, |error| {
            let is_value_error = on::IsDyn::is::<ValueError>(error);
            Verdict::Retry.retry_after(if is_value_error { value_error } else { other })
        });
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
