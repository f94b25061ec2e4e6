//! What other libraries call it, and what says the same here: backoff, backon, tokio-retry,
//! tenacity, resilience4j, Polly, and the words that come to mind.

use syn::Expr;

use crate::read::duration::{bare, of_expr};
use crate::read::number::{count, number};
use crate::read::source::text;

/// Where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Stop,
    Wait,
    /// Behind a wait strategy.
    Shaper,
    On,
    /// A key of its own, or no key at all: all is said.
    Whole,
}

/// A name, and what is written in its place.
#[derive(Clone, Copy)]
pub(crate) struct Foreign {
    pub(crate) part: Part,
    here: &'static str,
}

/// What is written here, and the names that others have for it. `{kind:example}` is filled in from
/// the argument, if it is one of that kind: `n` a number, `n+1` a number that does not count the
/// first call, `d` a duration, `ms` and `s` the same where a plain number has that unit, `timeout`
/// the same as `s` where it may be one of several limits, `ref` a reference, `token` what is cancelled
/// by hand, `x` anything.
const NAMES: &[(Part, &str, &[&str])] = &[
    (
        Part::Stop,
        "attempts({n:5})",
        &[
            "n",
            "count",
            "max_attempts",
            "stop_after_attempt",
            "tries",
            "max_tries",
            "attempt",
            "limit",
            "max",
            "total_attempts",
            "with_max_attempts",
            "max_calls",
        ],
    ),
    (
        Part::Stop,
        "attempts({n+1:5})",
        &[
            "retries",
            "max_retries",
            "with_max_retries",
            "with_max_times",
            "max_times",
            "times",
            "take",
            "retry_count",
            "num_retries",
            "max_retry_attempts",
            "stop_after",
        ],
    ),
    (
        Part::Stop,
        "within({timeout:30s})",
        &["timeout", "total_timeout", "with_total_timeout", "max_timeout", "retry_timeout"],
    ),
    (
        Part::Stop,
        "within({s:30s})",
        &[
            "max_time",
            "max_elapsed",
            "max_elapsed_time",
            "with_max_elapsed_time",
            "total_delay",
            "with_total_delay",
            "max_total_delay",
            "max_duration",
            "after",
            "stop_before_delay",
        ],
    ),
    (Part::Stop, "elapsed({s:30s})", &["stop_after_delay"]),
    (Part::Stop, "… | …", &["or", "any", "stop_any"]),
    (Part::Stop, "… & …", &["and", "all", "stop_all"]),
    (
        Part::Wait,
        "exponential({ms:100ms})",
        &[
            "expo",
            "exp",
            "exponential_backoff",
            "wait_exponential",
            "ExponentialBuilder",
            "ExponentialBackoff",
            "ExponentialBackoffBuilder",
            "initial_interval",
            "with_initial_interval",
            "initial_delay",
            "initial_backoff",
            "base_delay",
            "min_delay",
            "with_min_delay",
            "from_millis",
            "base",
            "initial",
        ],
    ),
    (
        Part::Wait,
        "exponential({ms:100ms}).cap(10s).full_jitter()",
        &["backoff", "strategy", "decorrelated_jitter"],
    ),
    (Part::Wait, "exponential({s:1s}).cap(60s).jitter(1s)", &["wait_exponential_jitter"]),
    (Part::Wait, "exponential({s:1s}).cap(60s).full_jitter()", &["wait_random_exponential"]),
    (
        Part::Wait,
        "fixed({ms:100ms})",
        &[
            "constant",
            "interval",
            "delay",
            "delay_ms",
            "every",
            "pause",
            "FixedInterval",
            "ConstantBuilder",
            "ConstantBackoff",
            "with_delay",
            "retry_delay",
            "wait_duration",
        ],
    ),
    (Part::Wait, "fixed({s:1s})", &["wait_fixed"]),
    (Part::Wait, "fibonacci({ms:100ms})", &["fibo", "fib", "FibonacciBuilder", "FibonacciBackoff"]),
    (Part::Wait, "linear(start, step)", &["incremental", "increment", "wait_incrementing"]),
    (Part::Wait, "random(least..most)", &["wait_random", "uniform"]),
    (Part::Wait, "none()", &["no_wait", "zero", "immediate", "wait_none", "NoDelay", "no_delay"]),
    (Part::Wait, "first.times(n).then(next)", &["wait_chain"]),
    (Part::Wait, "… + …", &["wait_combine"]),
    (
        Part::Shaper,
        "cap({d:10s})",
        &[
            "max_delay",
            "with_max_delay",
            "max_interval",
            "with_max_interval",
            "max_backoff",
            "max_wait",
            "with_cap",
        ],
    ),
    (Part::Shaper, "floor({d:100ms})", &["min_interval", "min_wait"]),
    (Part::Shaper, "factor({x:2})", &["with_factor", "multiplier", "with_multiplier", "growth"]),
    (
        Part::Shaper,
        "full_jitter()",
        &["with_jitter", "jittered", "randomize", "with_full_jitter", "use_jitter", "map"],
    ),
    (
        Part::Shaper,
        "jitter_factor({x:0.5})",
        &["randomization_factor", "with_randomization_factor", "with_jitter_factor"],
    ),
    (Part::On, "is::<{x:MyError}>()", &["retry_if_exception_type"]),
    (Part::On, "!is::<{x:MyError}>()", &["retry_if_not_exception_type"]),
    (Part::On, "error({x:|error| …})", &["retry_if_exception", "handle", "on_exception"]),
    (Part::On, "ok({x:|value| …})", &["retry_if_result", "handle_result", "on_result"]),
    (Part::On, "ok(|value| !…)", &["retry_if_not_result"]),
    (Part::On, "|error| error.to_string().contains({x:\"…\"})", &["retry_if_exception_message"]),
    (Part::On, "… | …", &["retry_any"]),
    (Part::On, "… & …", &["retry_all"]),
    (Part::On, "any_error()", &["retry_always"]),
    (
        Part::On,
        "{x:…}",
        &[
            "when",
            "if",
            "retry",
            "retry_if",
            "retry_on",
            "retry_when",
            "predicate",
            "condition",
            "error",
            "errors",
            "only_if",
            "filter",
            "retryable",
        ],
    ),
    (Part::Whole, "write `forever`", &["never", "stop_never", "infinite", "unlimited", "endless"]),
    (
        Part::Whole,
        "the function returns its own last error, so nothing need be written",
        &["reraise"],
    ),
    (
        Part::Whole,
        "every retry is logged as it is; for more write `before_sleep = |attempt, outcome| …`",
        &["before_sleep_log", "before_log", "after_log"],
    ),
    (
        Part::Whole,
        "what an error asks for is a hint of its verdict: `on = |error| Verdict::Retry.retry_after(error.wait())`",
        &["adjust"],
    ),
    (Part::Whole, "write `enabled = false`", &["disabled", "disable"]),
];

/// What says the same here as a name of another library.
pub(crate) fn foreign(name: &str) -> Option<Foreign> {
    let (part, here, _) = NAMES.iter().find(|(_, _, names)| names.contains(&name))?;
    Some(Foreign { part: *part, here })
}

/// The crates that the names are from, as they stand in a path.
pub(crate) const CRATES: [&str; 9] = [
    "backoff",
    "backon",
    "backoff2",
    "tokio_retry",
    "tokio_retry2",
    "exponential_backoff",
    "again",
    "retry_policies",
    "tryhard",
];

/// Words of the table that nobody gives to a strategy of their own.
const PLAIN: [&str; 24] = [
    "max_attempts",
    "retries",
    "max_retries",
    "timeout",
    "max_time",
    "after",
    "max_elapsed",
    "never",
    "infinite",
    "expo",
    "exp",
    "exponential_backoff",
    "constant",
    "interval",
    "delay",
    "every",
    "fibo",
    "fib",
    "incremental",
    "increment",
    "uniform",
    "no_wait",
    "zero",
    "immediate",
];

/// The same of a name that is called where a strategy or a condition stands. A word that may as well
/// be a function of one's own is none.
pub(crate) fn foreign_call(name: &str) -> Option<Foreign> {
    let prefixed =
        ["stop_", "wait_", "retry_", "with_"].iter().any(|start| name.starts_with(start));
    let is_type = name.starts_with(char::is_uppercase);
    foreign(name).filter(|_| prefixed || is_type || PLAIN.contains(&name))
}

impl Foreign {
    /// What is written here for it, with its argument.
    pub(crate) fn written(self, arg: Option<&Expr>) -> String {
        filled_in(self.here, arg)
    }

    /// What to know about it beside.
    pub(crate) fn note(self) -> &'static str {
        if self.here.contains("{n+1:") {
            " (`attempts` counts the first call too)"
        } else if self.here.contains("{timeout:") {
            ", after which no attempt starts; `deadline` in its place also cuts the one that is running, and `attempt_timeout` cuts each that takes too long"
        } else {
            ""
        }
    }

    /// The key to write with it, if it is not all said already.
    pub(crate) fn as_key(self, arg: Option<&Expr>) -> Option<String> {
        let written = self.written(arg);
        Some(match self.part {
            Part::Stop => format!("stop = {written}"),
            Part::Wait => format!("wait = {written}"),
            Part::Shaper => format!("wait = exponential(100ms).{written}"),
            Part::On => format!("on = {written}"),
            Part::Whole => return None,
        })
    }

    /// The key that it belongs to, if it is one that can be missing.
    pub(crate) fn key(self) -> Option<&'static str> {
        match self.part {
            Part::Stop => Some("stop"),
            Part::Wait | Part::Shaper => Some("wait"),
            Part::On => Some("on"),
            Part::Whole if self.here.contains("forever") => Some("forever"),
            Part::Whole => None,
        }
    }
}

/// What is written here, with this argument in its hole.
pub(crate) fn filled_in(here: &str, arg: Option<&Expr>) -> String {
    let hole = |here: &str| {
        let (before, hole) = here.split_once('{')?;
        let (hole, after) = hole.split_once('}')?;
        let (kind, example) = hole.split_once(':')?;
        let filled = arg.and_then(|arg| filled(kind, bare(arg)));
        Some(format!("{before}{}{after}", filled.unwrap_or_else(|| example.to_owned())))
    };
    hole(here).unwrap_or_else(|| here.to_owned())
}

/// The argument as what it is here; `None` if it is of another kind.
fn filled(kind: &str, arg: &Expr) -> Option<String> {
    let typed = text(&arg);
    let unit = |unit: &str| number(arg).filter(|n| *n > 0.0).map(|_| format!("{typed}{unit}"));
    let duration = || match arg {
        Expr::Lit(_) => of_expr(arg).map(|_| typed.clone()),
        Expr::Path(_) | Expr::Field(_) | Expr::Call(_) if typed.len() <= 40 => Some(typed.clone()),
        _ => None,
    };
    match kind {
        "n" => count(arg).map(|n| n.to_string()),
        "n+1" => count(arg).map(|n| n.saturating_add(1).to_string()),
        "d" => duration(),
        "ms" | "s" => unit(kind).or_else(duration),
        "timeout" => unit("s").or_else(duration),
        "ref" => matches!(arg, Expr::Reference(_)).then_some(typed),
        "token" => match arg {
            Expr::MethodCall(call) if call.method.to_string().starts_with("cancel") => Some(typed),
            Expr::Path(_) | Expr::Field(_) | Expr::MethodCall(_) => {
                Some(format!("{typed}.cancelled()"))
            }
            _ => None,
        },
        _ if matches!(arg, Expr::Lit(lit) if !matches!(lit.lit, syn::Lit::Str(_))) => {
            number(arg).map(|_| typed)
        }
        _ => (typed.len() <= 60).then_some(typed),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a name that is not there is a mistake of the test

    use super::*;

    #[test]
    fn a_name_stands_in_the_table_once() {
        let mut names: Vec<_> = NAMES.iter().flat_map(|(_, _, names)| *names).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn an_argument_is_taken_over_where_it_means_the_same() {
        for (name, arg, here) in [
            ("max_attempts", "3", "attempts(3)"),
            ("max_retries", "3", "attempts(4)"),
            ("max_retries", "self.n", "attempts(5)"),
            ("delay_ms", "250", "fixed(250ms)"),
            ("delay", "1.5s", "fixed(1.5s)"),
            ("timeout", "Duration::from_secs(3)", "within(Duration::from_secs(3))"),
            ("stop_after_delay", "30", "elapsed(30s)"),
            ("with_max_delay", "10s", "cap(10s)"),
            ("with_max_delay", "10", "cap(10s)"),
            ("with_jitter", "true", "full_jitter()"),
            ("with_factor", "3", "factor(3)"),
            ("retry_if_exception_type", "io::Error", "is::<io::Error>()"),
        ] {
            let arg = syn::parse_str(arg).unwrap();
            assert_eq!(foreign(name).unwrap().written(Some(&arg)), here, "{name}");
        }
    }
}
