//! Reading the recorded rows.

use std::time::Duration;

use serde_json::{Map, Value};

/// A number; some are the text of a `timedelta`.
fn number(value: &Value) -> Option<f64> {
    let text = || value.as_str()?.strip_prefix("timedelta ")?.strip_suffix('s')?.parse().ok();
    value.as_f64().or_else(text)
}

pub(crate) fn parameter(params: &Value, key: &str, default: f64) -> f64 {
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
pub(crate) fn duration(params: &Value, key: &str, default: f64) -> Option<Duration> {
    let seconds = parameter(params, key, default);
    (seconds >= 0.0).then(|| saturating(seconds))
}

/// A factor of growth. `None` if it shrinks what it is applied to, which ours do not.
pub(crate) fn growth(params: &Value, key: &str, default: f64) -> Option<f64> {
    let factor = parameter(params, key, default);
    (factor >= 1.0).then_some(factor)
}

/// Python's durations go further than ours; those are as good as endless.
pub(crate) fn saturating(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

pub(crate) fn seconds(case: &Value, key: &str) -> Duration {
    saturating(case[key].as_f64().unwrap())
}

pub(crate) fn attempt(case: &Value, key: &str) -> u32 {
    u32::try_from(case[key].as_u64().unwrap()).unwrap()
}

/// `["wait_random", 0, 3]` or `["wait_exponential", { … }]`: a name and parameters.
pub(crate) fn part(part: &Value) -> (&str, Value) {
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

pub(crate) fn parts<'a>(params: &'a Value, key: &str) -> &'a [Value] {
    params[key].as_array().unwrap()
}

pub(crate) fn durations(list: &[Value]) -> Vec<Duration> {
    list.iter().map(|delay| saturating(delay.as_f64().unwrap())).collect()
}
