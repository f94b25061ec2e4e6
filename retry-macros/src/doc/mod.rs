//! What the documentation of an annotated function says about its retries.

mod source;
#[cfg(test)]
mod tests;
mod worst;

use core::time::Duration;

use quote::ToTokens;
use syn::{Attribute, BinOp, Expr, ExprMethodCall, Lit, Meta, parse_quote};

use crate::read::condition::Condition;
use crate::read::duration::{bare, of_expr};
use crate::read::keys::{Args, Idempotent};
use crate::read::strategy::{Kind, is_combinator, is_shaper, known};
use source::{code, in_backticks, text};
use worst::{Worst, count, number};

/// The paragraph, read from the keys as they were typed: when the function is retried, and where
/// the numbers are literal, how long it waits in the worst case.
pub(crate) fn paragraph(args: &Args) -> String {
    let mut parts = Vec::new();
    parts.extend(args.forever.map(|()| match args.stop {
        None => "without a limit".to_owned(),
        Some(_) => "without a sure limit".to_owned(),
    }));
    parts.extend(args.stop.as_ref().map(stops));
    parts.extend(args.wait.as_ref().map(waits));
    parts.extend(args.policy.as_ref().map(|policy| format!("by {}", code(policy))));
    parts.extend(match (&args.on, &args.policy) {
        (Some(on), _) => Some(condition(on)),
        (None, None) => Some("on transient errors".to_owned()),
        (None, Some(_)) => None,
    });
    parts.extend(args.idempotent.as_ref().map(|idempotent| match idempotent {
        Idempotent::Always => "ambiguous failures too".to_owned(),
        Idempotent::If(expr) => format!("ambiguous failures too if {}", code(expr)),
    }));
    let enabled = args.enabled.as_ref().map(|expr| format!(" if {}", code(expr)));
    parts.extend(args.reset.as_ref().map(|_| "anew after a healthy attempt".to_owned()));
    let worst = args.stop.as_ref().zip(args.wait.as_ref()).filter(|_| args.reset.is_none());
    // Waits that the other side asks for come on top of a number of attempts, not of a time.
    let worst = match worst.and_then(|(stop, wait)| worst::waiting(stop, wait)) {
        Some(Worst::AtMost(time)) => {
            format!(" Its own waits come to at most {}.", human(ceil(time)))
        }
        Some(Worst::LessThan(time)) => format!(" It waits less than {} in all.", human(time)),
        None => String::new(),
    };
    format!("Retried{}: {}.{worst}", enabled.unwrap_or_default(), parts.join("; "))
}

/// Appends the paragraph to a documentation.
///
/// Only where there is one: a `doc` attribute would silence `missing_docs`, and would hide what a
/// method inherits from its trait. Nor inside a code block that is left open.
pub(crate) fn append(paragraph: &str, attrs: &mut Vec<Attribute>) {
    let Some(last) = attrs.iter().rposition(|attr| doc(attr).is_some()) else { return };
    let lines: Vec<String> = attrs
        .iter()
        .filter_map(doc)
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    if lines.iter().all(|line| line.trim().is_empty()) || ends_in_code(&lines) {
        return;
    }
    // rustdoc removes the indentation that all lines share.
    let indent = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let indent = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min();
    let line = format!("{}{paragraph}", " ".repeat(indent.unwrap_or_default()));
    attrs.splice(last + 1..=last, [parse_quote!(#[doc = ""]), parse_quote!(#[doc = #line])]);
}

/// The text of a `#[doc = …]`; of one that is not a literal, something in its place.
fn doc(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attr.meta else { return None };
    if !meta.path.is_ident("doc") {
        return None;
    }
    Some(match bare(&meta.value) {
        Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => text.value(),
        other => other.to_token_stream().to_string(),
    })
}

/// Whether a fenced code block is still open after the last line.
fn ends_in_code(lines: &[String]) -> bool {
    let mut open: Option<&str> = None;
    for line in lines.iter().map(|line| line.trim()) {
        let fence_char = |c: &char| matches!(c, '`' | '~');
        let Some(first) = line.chars().next().filter(fence_char) else { continue };
        let info = line.trim_start_matches(first);
        let fence = &line[..line.len() - info.len()];
        match open {
            Some(open) if info.is_empty() && fence.starts_with(open) => {}
            None if fence.len() >= 3 && !(first == '`' && info.contains('`')) => {
                open = Some(fence);
                continue;
            }
            _ => continue,
        }
        open = None;
    }
    open.is_some()
}

/// When it gives up.
fn stops(stop: &Expr) -> String {
    let mut alternatives = Vec::new();
    alternatives_of(stop, &mut alternatives);
    let phrases = alternatives.iter().enumerate().map(|(index, expr)| {
        let none = if index == 0 { "no attempt" } else { "none" };
        limit(expr, none)
    });
    phrases.collect::<Vec<_>>().join(", ")
}

/// What `|` joins.
fn alternatives_of<'a>(stop: &'a Expr, alternatives: &mut Vec<&'a Expr>) {
    match bare(stop) {
        Expr::Binary(binary) if matches!(binary.op, BinOp::BitOr(_)) => {
            alternatives_of(&binary.left, alternatives);
            alternatives_of(&binary.right, alternatives);
        }
        expr => alternatives.push(expr),
    }
}

fn limit(expr: &Expr, none: &str) -> String {
    if let Expr::Call(call) = expr {
        if let (Some(head), Some(arg)) = (known(call, Kind::Stop), call.args.first()) {
            return match head.as_str() {
                "attempts" => match count(arg) {
                    Some(1) => "at most 1 attempt".to_owned(),
                    Some(n) => format!("at most {n} attempts"),
                    None => format!("at most {} attempts", code(arg)),
                },
                "within" => {
                    format!("{none} starting {} or later after the first", amount(arg))
                }
                "elapsed" => format!("{none} after a failure {} or later", amount(arg)),
                "until" => format!("{none} starting at {} or later", code(arg)),
                _ => format!("{none} once {}", code(arg)),
            };
        }
    }
    format!("{none} once {}", code(expr))
}

/// How long it waits.
fn waits(wait: &Expr) -> String {
    let mut shapers = Vec::new();
    let mut base = bare(wait);
    while let Expr::MethodCall(call) = base {
        if !is_shaper(&call.method) || is_combinator(&call.method) || call.method == "times" {
            break;
        }
        shapers.push(call);
        base = bare(&call.receiver);
    }
    shapers.reverse();
    let (factors, shapers): (Vec<_>, Vec<_>) =
        shapers.into_iter().partition(|call| call.method == "factor");
    let factor = factors.first().and_then(|call| call.args.first());
    let Some((mut phrase, grows)) = unshaped(base, factor) else {
        return format!("waits by {}", code(wait));
    };
    let (caps, others): (Vec<_>, Vec<_>) =
        shapers.into_iter().partition(|call| call.method == "cap");
    for cap in caps.into_iter().filter_map(|call| call.args.first()) {
        let upto = if grows { " up to" } else { ", at most" };
        phrase.extend([upto, " ", &amount(cap)]);
    }
    for shaper in others {
        phrase += &shaped(shaper);
    }
    phrase
}

/// The strategy itself, and whether its waits grow.
fn unshaped(base: &Expr, factor: Option<&Expr>) -> Option<(String, bool)> {
    let Expr::Call(call) = base else { return None };
    let arg = |index: usize| call.args.get(index).map(amount);
    Some(match known(call, Kind::Wait)?.as_str() {
        "none" => ("no waits".to_owned(), false),
        "fixed" => (format!("waits of {}", arg(0)?), false),
        "linear" => (format!("waits of {}, each {} longer", arg(0)?, arg(1)?), true),
        "exponential" => {
            let growth = match factor {
                None => "doubling".to_owned(),
                Some(factor) => format!("growing {}-fold", plain(factor)),
            };
            (format!("waits of {}, {growth}", arg(0)?), true)
        }
        "fibonacci" => (format!("waits of {} times 1, 1, 2, 3, 5, …", arg(0)?), true),
        "random" => match bare(call.args.first()?) {
            Expr::Range(range) => {
                let (start, end) = (range.start.as_deref()?, range.end.as_deref()?);
                (format!("random waits from {} to {}", amount(start), amount(end)), false)
            }
            other => (format!("random waits from {}", code(other)), false),
        },
        "decorrelated" => (format!("decorrelated waits from {} up to {}", arg(0)?, arg(1)?), false),
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
    let arg = call.args.first();
    let method = call.method.to_string();
    match (method.as_str(), arg) {
        ("full_jitter", _) => ", full jitter".to_owned(),
        ("equal_jitter", _) => ", equal jitter".to_owned(),
        ("floor", Some(floor)) => format!(", at least {}", amount(floor)),
        ("jitter", Some(width)) => format!(", and up to {} of jitter", amount(width)),
        ("jitter_factor", Some(factor)) => format!(", jitter by a factor of {}", plain(factor)),
        _ => String::new(),
    }
}

/// What is worth another attempt.
fn condition(on: &Condition) -> String {
    match on {
        Condition::AnyError(_) => "on any error".to_owned(),
        Condition::Transient(_) => "on transient errors".to_owned(),
        on => format!("on {}", in_backticks(&grammar(on))),
    }
}

/// A condition as it was typed.
fn grammar(on: &Condition) -> String {
    // A closure takes everything to its right, so it cannot stand bare beside an operator.
    let operand = |on: &Condition| match on {
        Condition::Or(..) | Condition::And(..) | Condition::Error(Expr::Closure(_)) => {
            format!("({})", grammar(on))
        }
        on => grammar(on),
    };
    match on {
        Condition::Error(expr) => match bare(expr) {
            Expr::Path(_) | Expr::Closure(_) => text(expr),
            _ => format!("error({})", text(expr)),
        },
        Condition::Ok(expr) => format!("ok({})", text(expr)),
        Condition::Output(expr) => format!("output({})", text(expr)),
        Condition::AnyError(_) => "any_error()".to_owned(),
        Condition::Transient(_) => "transient()".to_owned(),
        Condition::Is(ty) => format!("is::<{}>()", text(ty)),
        Condition::SourceIs(ty) => format!("source_is::<{}>()", text(ty)),
        Condition::Matches(pat, None) => format!("matches({})", text(pat)),
        Condition::Matches(pat, Some(guard)) => {
            format!("matches({} if {})", text(pat), text(guard))
        }
        Condition::Call(expr) => text(expr),
        Condition::AtMost(on, n) => format!("{}.at_most({})", operand(on), text(n)),
        Condition::Not(_, on) => format!("!{}", operand(on)),
        Condition::Or(a, b) => format!("{} | {}", either(a, &operand), either(b, &operand)),
        Condition::And(a, b) => format!("{} & {}", operand(a), operand(b)),
    }
}

/// One side of a `|`, beside which neither another one nor an `&` needs parentheses.
fn either(on: &Condition, operand: &dyn Fn(&Condition) -> String) -> String {
    match on {
        Condition::Or(..) | Condition::And(..) => grammar(on),
        on => operand(on),
    }
}

/// A duration, or the code that gives one.
fn amount(expr: &Expr) -> String {
    of_expr(expr).map_or_else(|| code(expr), human)
}

/// A number, or the code that gives one.
fn plain(expr: &Expr) -> String {
    number(expr).map_or_else(|| code(expr), |number| number.to_string())
}

/// Rounded up to what is worth reading.
fn ceil(time: Duration) -> Duration {
    let step = match time.as_nanos() {
        0..1_000_000 => 1,
        1_000_000..1_000_000_000 => 1_000,
        _ => 1_000_000,
    };
    let rest = time.subsec_nanos() % step;
    if rest == 0 { time } else { time.saturating_add(Duration::from_nanos((step - rest).into())) }
}

/// `1.5 s`, `2 min 30 s`: exact.
fn human(time: Duration) -> String {
    if time.is_zero() {
        return "0 s".to_owned();
    }
    if time < Duration::from_secs(60) {
        return below_a_minute(time);
    }
    let secs = time.as_secs();
    let mut parts = Vec::new();
    for (value, unit) in [(secs / 86_400, "d"), (secs / 3_600 % 24, "h"), (secs / 60 % 60, "min")] {
        if value > 0 {
            parts.push(format!("{value} {unit}"));
        }
    }
    let rest = Duration::new(secs % 60, time.subsec_nanos());
    if !rest.is_zero() {
        parts.push(below_a_minute(rest));
    }
    parts.join(" ")
}

fn below_a_minute(time: Duration) -> String {
    // `1.5ms`, as the standard library writes it, with the space that units have.
    let text = format!("{time:?}");
    let unit = text.find(|c: char| c.is_alphabetic() || c == 'µ').unwrap_or(text.len());
    format!("{} {}", &text[..unit], &text[unit..])
}
