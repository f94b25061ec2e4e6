//! Arguments that can be seen to be of the wrong kind.

use retry_core::text::meant;
use syn::{Expr, Lit};

use super::signatures::{Takes, is_instant};
use crate::diagnose::Errors;
use crate::read::duration::{bare, of_expr, of_literal};
use crate::read::number::number;
use crate::read::source::text;
use crate::read::strategy::{head, key_of};

/// Whether the argument of `name` may be what it takes. A mistake is reported.
pub(super) fn check(
    name: &str,
    takes: Takes,
    arg: &Expr,
    example: &str,
    errors: &mut Errors,
) -> bool {
    let message = match takes {
        Takes::Count => count(name, arg, example),
        Takes::Duration => duration(name, arg, example),
        Takes::Instant => instant(name, arg),
        Takes::Range => range(arg),
        Takes::Delays => delays(arg),
        Takes::Factor | Takes::Share => plain_number(name, arg, example),
        Takes::Function => function(name, arg, example),
        Takes::Strategy => None,
    };
    let is_right = message.is_none();
    if let Some(message) = message {
        errors.at(arg, message);
    }
    is_right
}

/// Literals and other expressions that are of the kind they look like.
enum Looks {
    Duration,
    /// A duration that has a message of its own.
    Malformed,
    Number,
    Text(String),
    /// Another literal, a range, a list, a tuple.
    Other,
    /// It may be anything.
    Unknown,
}

fn looks(expr: &Expr) -> Looks {
    match bare(expr) {
        Expr::Lit(lit) => match (&lit.lit, of_literal(&lit.lit)) {
            (_, Some(Ok(_))) => Looks::Duration,
            (_, Some(Err(_))) => Looks::Malformed,
            (Lit::Int(_) | Lit::Float(_), None) => Looks::Number,
            (Lit::Str(text), None) => Looks::Text(text.value()),
            _ => Looks::Other,
        },
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => match looks(&unary.expr) {
            // The sign of a duration has a message of its own.
            Looks::Duration => Looks::Malformed,
            looks => looks,
        },
        Expr::Range(_) | Expr::Array(_) | Expr::Tuple(_) | Expr::Closure(_) => Looks::Other,
        _ => Looks::Unknown,
    }
}

fn count(name: &str, arg: &Expr, example: &str) -> Option<String> {
    let typed = text(&arg);
    match looks(arg) {
        Looks::Unknown | Looks::Malformed => None,
        Looks::Duration if name == "attempts" => Some(format!(
            "`attempts` takes a number of calls; a time limit is written `within({typed})`"
        )),
        Looks::Number => {
            let n = number(arg)?;
            if n < 0.0 && name == "attempts" {
                return Some(format!(
                    "`attempts` counts calls, and `{typed}` is below zero; if there is to be no limit, write the flag `forever` in place of `stop`"
                ));
            }
            let whole = n.fract() == 0.0 && n >= 0.0 && !typed.contains('.');
            if whole && n > f64::from(u32::MAX) {
                return Some(format!("`{name}` takes a number of 32 bits, at most {}", u32::MAX));
            }
            let suffixed = ["u8", "u16", "u64", "u128", "usize", "i32", "i64"]
                .iter()
                .find_map(|suffix| typed.strip_suffix(suffix));
            match suffixed {
                Some(plain) => {
                    let plain = plain.trim_end_matches('_');
                    Some(format!(
                        "`{name}` takes a `u32`: write `{}`",
                        example_with(example, plain)
                    ))
                }
                None => {
                    (!whole).then(|| format!("`{name}` takes a whole number: write `{example}`"))
                }
            }
        }
        Looks::Text(text) if text.trim().parse::<u32>().is_ok() => Some(format!(
            "`{name}` takes a number, not a text: write `{}`",
            example_with(example, text.trim())
        )),
        Looks::Duration | Looks::Text(_) | Looks::Other => {
            Some(format!("`{name}` takes a number: write `{example}`"))
        }
    }
}

/// The example with another number in it.
fn example_with(example: &str, argument: &str) -> String {
    match (example.find('('), example.find(')')) {
        (Some(open), Some(close)) => {
            format!("{}{argument}{}", &example[..=open], &example[close..])
        }
        _ => example.to_owned(),
    }
}

/// Several durations in a row that are all written without a unit: that is one mistake. `None` if they
/// are not.
pub(super) fn without_units(of: &str, args: &[&Expr], between: &str) -> Option<String> {
    let is_plain = |arg: &&Expr| {
        matches!(looks(arg), Looks::Number)
            && !text(arg).starts_with("0x")
            && number(arg).is_some_and(|n| n >= 0.0)
    };
    if args.len() < 2 || !args.iter().all(is_plain) {
        return None;
    }
    let with_units: Vec<_> = args.iter().map(|arg| format!("{}s", text(arg))).collect();
    let written = match of {
        "sequence" => format!("[{}]", with_units.join(between)),
        _ => with_units.join(between),
    };
    Some(format!(
        "`{of}` takes durations, and these numbers have no unit: write `{of}({written})`, or `ms`, …"
    ))
}

/// Where a duration is expected, a number needs a unit.
pub(super) fn duration(of: &str, arg: &Expr, example: &str) -> Option<String> {
    let typed = text(&arg);
    match (looks(arg), bare(arg)) {
        (Looks::Number, _) if typed.starts_with("0x") => Some(format!(
            "`{of}` takes a duration, which is written in decimal with a unit: `100ms`, `30s`"
        )),
        (Looks::Number, _) if of == "jitter" && number(arg).is_some_and(|n| n.fract() != 0.0) => {
            Some(format!(
                "`jitter` takes a duration; a part of the delay is written `.jitter_factor({typed})`"
            ))
        }
        (Looks::Number, _) if number(arg).is_some_and(|n| n < 0.0) => {
            Some(format!("`{of}` takes a duration, which is not negative: `{example}`"))
        }
        (Looks::Number, _) => Some(format!(
            "`{of}` takes a duration, and `{typed}` has no unit: write `{typed}s`, `{typed}ms`, …"
        )),
        (Looks::Text(text), _) => Some(match meant(&text) {
            Some(here) => format!("a duration is written without quotes: `{here}`"),
            None => format!("`{of}` takes a duration, not a text: write `{example}`"),
        }),
        (Looks::Other, Expr::Range(_)) if of == "fixed" => Some(format!(
            "`fixed` takes one duration; one between two is written `random({typed})`"
        )),
        (Looks::Other, Expr::Array(_)) if of == "fixed" => Some(format!(
            "`fixed` takes one duration; one after the other is written `sequence({typed})`"
        )),
        (Looks::Other, Expr::Lit(syn::ExprLit { lit: Lit::Bool(_), .. })) if of == "jitter" => Some(
            "`jitter` takes how much it adds at most; the usual one is written `.full_jitter()`"
                .to_owned(),
        ),
        (Looks::Other, _) => Some(format!("`{of}` takes a duration: write `{example}`")),
        (Looks::Unknown, _) if is_instant(arg) => Some(if of == "within" || of == "elapsed" {
            format!("`{of}` takes a duration; a point in time is written `until({typed})`")
        } else {
            format!("`{of}` takes a duration, not a point in time: write `{example}`")
        }),
        _ => None,
    }
}

fn instant(name: &str, arg: &Expr) -> Option<String> {
    let typed = text(&arg);
    let is_duration = match bare(arg) {
        Expr::Call(call) => matches!(bare(&call.func), Expr::Path(path)
            if path.path.segments.iter().any(|it| it.ident == "Duration")),
        expr => of_expr(expr).is_some(),
    };
    if is_duration {
        return Some(format!(
            "`{name}` takes a point in time, and this is a duration: write `within({typed})`"
        ));
    }
    match looks(arg) {
        Looks::Unknown | Looks::Malformed => None,
        _ => Some(format!(
            "`{name}` takes an `Instant`: write `{name}(self.closes_at)`, or `within(30s)` for a duration"
        )),
    }
}

fn range(arg: &Expr) -> Option<String> {
    let typed = text(&arg);
    match (looks(arg), bare(arg)) {
        (Looks::Duration, _) => {
            Some(format!("`random` takes a range: write `random(0s..{typed})`"))
        }
        (_, Expr::Binary(binary))
            if matches!(binary.op, syn::BinOp::Sub(_)) && of_expr(&binary.left).is_some() =>
        {
            let (least, most) = (text(&binary.left), text(&binary.right));
            Some(format!("a range is written with two dots: `random({least}..{most})`"))
        }
        (_, Expr::Array(ends)) if ends.elems.len() == 2 => Some(format!(
            "`random` takes a range: write `random({}..{})`",
            text(&ends.elems[0]),
            text(&ends.elems[1])
        )),
        (_, Expr::Tuple(ends)) if ends.elems.len() == 2 => Some(format!(
            "`random` takes a range: write `random({}..{})`",
            text(&ends.elems[0]),
            text(&ends.elems[1])
        )),
        (Looks::Number | Looks::Text(_), _)
        | (Looks::Other, Expr::Lit(_) | Expr::Closure(_) | Expr::Array(_) | Expr::Tuple(_)) => {
            Some("`random` takes a range of durations: write `random(50ms..200ms)`".to_owned())
        }
        _ => None,
    }
}

fn delays(arg: &Expr) -> Option<String> {
    let typed = text(&arg);
    match (looks(arg), bare(arg)) {
        (Looks::Duration, _) => Some(format!(
            "`sequence` takes a list: write `sequence([{typed}])`, or `fixed({typed})`"
        )),
        (Looks::Other, Expr::Tuple(list)) => {
            let list = list.elems.iter().map(|it| text(&it)).collect::<Vec<_>>().join(", ");
            Some(format!("a list has square brackets: write `sequence([{list}])`"))
        }
        (Looks::Other, Expr::Range(_)) => {
            Some(format!("`sequence` takes a list; one between two is written `random({typed})`"))
        }
        (Looks::Number | Looks::Text(_), _) | (Looks::Other, Expr::Lit(_) | Expr::Closure(_)) => {
            Some("`sequence` takes a list of durations: write `sequence([1s, 5s])`".to_owned())
        }
        _ => None,
    }
}

fn plain_number(name: &str, arg: &Expr, example: &str) -> Option<String> {
    match looks(arg) {
        Looks::Duration if name == "jitter_factor" => Some(format!(
            "`jitter_factor` takes a part of the delay; to add up to that much write `.jitter({})`",
            text(&arg)
        )),
        Looks::Text(_) | Looks::Other | Looks::Duration => {
            Some(format!("`{name}` takes a number: write `{example}`"))
        }
        _ => None,
    }
}

fn function(name: &str, arg: &Expr, example: &str) -> Option<String> {
    match (looks(arg), bare(arg)) {
        (Looks::Duration, _) if name == "by" => Some(format!(
            "`by` takes a function of the state; a duration is written `fixed({})`",
            text(&arg)
        )),
        (_, Expr::Call(call))
            if head(call)
                .is_some_and(|head| key_of(&head.to_string()).is_some_and(|key| key != "on")) =>
        {
            Some(format!(
                "`{name}` takes a function of the state, and this is a strategy: write it alone, `{}`",
                text(&arg)
            ))
        }
        (_, Expr::Closure(_)) | (Looks::Unknown | Looks::Malformed, _) => None,
        _ => Some(format!("`{name}` takes a function of the state: write `{example}`")),
    }
}
