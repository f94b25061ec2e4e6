//! Delays: of waits, of jitters, and of many clients at once.

use std::collections::BTreeSet;
use std::time::Duration;

use retry::{State, Stop, Wait, stop, wait};
use serde_json::{Value, json};

use crate::reading::{attempt, duration, durations, growth, parameter, part, parts, seconds};
use crate::{Differences, Replayed, Row};

/// Enough for the recorded tolerances of the mean, which are at least four standard errors wide.
const DRAWS: u64 = 2_000;

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

pub(crate) fn boxed(wait: impl Wait + 'static) -> Box<dyn Wait> {
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

/// What a case wants to see, in seconds.
pub(crate) struct Wanted {
    least: f64,
    most: f64,
    mean: Option<(f64, f64)>,
}

impl Wanted {
    pub(crate) fn of(case: &Value, unit: f64) -> Self {
        let exact = case["exact"].as_f64();
        let end = |key: &str| exact.or(case[key].as_f64()).expect("a number") * unit;
        let mean = case["mean"].as_f64();
        let mean = mean.map(|mean| (mean * unit, case["mean_tolerance"].as_f64().unwrap() * unit));
        Self { least: end("min"), most: end("max"), mean }
    }

    /// What is wrong with the delays of `wait` after this attempt.
    pub(crate) fn check(&self, wait: &dyn Wait, attempt: u32) -> Option<String> {
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

pub(crate) fn replay_wait(row: &Row) -> Replayed {
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

pub(crate) fn replay_jitter(row: &Row) -> Replayed {
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

pub(crate) fn replay_dispersion(row: &Row) -> Replayed {
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
