//! Strategies, durations and numbers in words.

use core::time::Duration;

use syn::{Expr, ExprMethodCall};

use super::source::code;
use crate::read::duration::{bare, of_expr};
use crate::read::number::{count, number};
use crate::read::strategy::{Form, Strategy};

/// When it gives up.
pub(super) fn stops(stop: &Strategy) -> String {
    let mut phrases = Vec::new();
    stop.each_alternative(&mut |stop| {
        let none = if phrases.is_empty() { "no attempt" } else { "none" };
        phrases.push(limit(stop, none));
    });
    phrases.join(", ")
}

fn limit(stop: &Strategy, none: &str) -> String {
    let (name, arg) = match &stop.form {
        Form::Known(name, call) => (*name, call.args.first()),
        _ => ("", None),
    };
    let arg = arg.unwrap_or_else(|| bare(&stop.typed));
    match name {
        "attempts" => match count(arg) {
            Some(1) => "at most 1 attempt".to_owned(),
            Some(n) => format!("at most {n} attempts"),
            None => match code(arg) {
                Some(code) => format!("at most {code} attempts"),
                None => "at most as many attempts as configured".to_owned(),
            },
        },
        "within" => format!("{none} starting {} or later after the first", amount(arg)),
        "elapsed" => format!("{none} after a failure {} or later", amount(arg)),
        "until" => format!("{none} starting at {} or later", amount(arg)),
        _ => match whole(arg) {
            Some(code) => format!("{none} once {code}"),
            None => format!("{none} once a configured limit is reached"),
        },
    }
}

/// How long it waits.
pub(super) fn waits(wait: &Strategy) -> String {
    let (mut base, mut shapers) = (wait, Vec::new());
    while let Form::Shaped(inner, call, others) = &base.form {
        if !others.is_empty() || call.method == "times" {
            break;
        }
        shapers.insert(0, call);
        base = inner;
    }
    let (factors, shapers): (Vec<_>, Vec<_>) =
        shapers.into_iter().partition(|call| call.method == "factor");
    let (caps, shapers): (Vec<_>, Vec<_>) =
        shapers.into_iter().partition(|call| call.method == "cap");
    let factor = factors.first().and_then(|call| call.args.first());
    let Some((phrase, grows)) = unshaped(base, factor) else {
        let code = whole(bare(&wait.typed));
        return code
            .map_or_else(|| "waits as configured".to_owned(), |code| format!("waits by {code}"));
    };
    let upto = if grows { " up to" } else { ", at most" };
    let caps = caps.iter().filter_map(|call| call.args.first());
    let caps = caps.map(|cap| format!("{upto} {}", amount(cap)));
    caps.chain(shapers.into_iter().map(shaped)).fold(phrase, |phrase, more| phrase + &more)
}

/// The strategy itself, and whether its waits grow.
fn unshaped(base: &Strategy, factor: Option<&Expr>) -> Option<(String, bool)> {
    let Form::Known(name, call) = &base.form else { return None };
    let arg = |index: usize| call.args.get(index).map(amount);
    Some(match *name {
        "none" => ("no waits".to_owned(), false),
        "fixed" => (format!("waits of {}", arg(0)?), false),
        "linear" => (format!("waits of {}, each {} longer", arg(0)?, arg(1)?), true),
        "exponential" => {
            let growth = factor
                .map_or("doubling".to_owned(), |factor| format!("growing {}-fold", plain(factor)));
            (format!("waits of {}, {growth}", arg(0)?), true)
        }
        "fibonacci" => (format!("waits of {} times 1, 1, 2, 3, 5, …", arg(0)?), true),
        "random" => match bare(call.args.first()?) {
            Expr::Range(range) => {
                let (start, end) = (range.start.as_deref()?, range.end.as_deref()?);
                (format!("random waits from {} to {}", amount(start), amount(end)), false)
            }
            other => match code(other) {
                Some(code) => (format!("random waits from {code}"), false),
                None => ("random waits of a configured range".to_owned(), false),
            },
        },
        "decorrelated" => {
            let growth =
                factor.map(|factor| format!(", each up to {} times the one before", plain(factor)));
            let bounds = format!("decorrelated waits from {} up to {}", arg(0)?, arg(1)?);
            (bounds + &growth.unwrap_or_default(), false)
        }
        "sequence" => match bare(call.args.first()?) {
            Expr::Array(array) if array.elems.len() <= 6 => {
                let waits: Vec<String> = array.elems.iter().map(amount).collect();
                (format!("waits of {}", waits.join(", then ")), false)
            }
            _ => return None,
        },
        _ => return None,
    })
}

fn shaped(call: &ExprMethodCall) -> String {
    let method = call.method.to_string();
    match (method.as_str(), call.args.first()) {
        ("full_jitter", _) => ", full jitter".to_owned(),
        ("equal_jitter", _) => ", equal jitter".to_owned(),
        ("unless_hinted", _) => ", unless the other side asks for one".to_owned(),
        ("floor", Some(floor)) => format!(", at least {}", amount(floor)),
        ("jitter", Some(width)) => format!(", and up to {} of jitter", amount(width)),
        ("jitter_factor", Some(factor)) => format!(", jitter by a factor of {}", plain(factor)),
        _ => String::new(),
    }
}

/// A duration, or the code that gives one.
pub(super) fn amount(expr: &Expr) -> String {
    let unknown = || code(expr).unwrap_or_else(|| "a configured time".to_owned());
    of_expr(expr).map_or_else(unknown, human)
}

/// The code of a whole strategy or policy, where that is more than to ask some value for it.
pub(super) fn whole(expr: &Expr) -> Option<String> {
    match bare(expr) {
        Expr::MethodCall(call)
            if matches!(bare(&call.receiver), Expr::Path(_) | Expr::Field(_)) =>
        {
            None
        }
        Expr::Field(_) => None,
        Expr::Reference(it) => whole(&it.expr).and_then(|_| code(expr)),
        Expr::Unary(it) => whole(&it.expr).and_then(|_| code(expr)),
        other => code(other),
    }
}

/// A number, or the code that gives one.
fn plain(expr: &Expr) -> String {
    let unknown = || code(expr).unwrap_or_else(|| "a configured factor".to_owned());
    number(expr).map_or_else(unknown, |number| number.to_string())
}

/// `1.5 s`, `2 min 30 s`: exact.
pub(super) fn human(time: Duration) -> String {
    let secs = time.as_secs();
    let units = [(secs / 86_400, "d"), (secs / 3_600 % 24, "h"), (secs / 60 % 60, "min")];
    let whole = units.iter().filter(|(value, _)| *value > 0);
    let mut parts: Vec<_> = whole.map(|(value, unit)| format!("{value} {unit}")).collect();
    let rest = Duration::new(secs % 60, time.subsec_nanos());
    if time.is_zero() {
        parts.push("0 s".to_owned());
    } else if !rest.is_zero() {
        // `1.5ms`, as the standard library writes it, with the space that units have.
        let text = format!("{rest:?}");
        let (number, unit) = text.split_at(text.trim_end_matches(char::is_alphabetic).len());
        parts.push(format!("{number} {unit}"));
    }
    parts.join(" ")
}
