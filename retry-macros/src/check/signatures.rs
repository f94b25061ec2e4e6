//! What the strategies, shapers and conditions take: how many arguments, and what each may be.

use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Token};

use super::literal;
use crate::diagnose::Errors;
use crate::read::duration::{bare, of_expr};
use crate::read::foreign::{Part, foreign};
use crate::read::number::number;
use crate::read::source::text;
use crate::read::strategy::{Kind, SHAPERS};

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Count,
    Duration,
    Instant,
    Range,
    Delays,
    Factor,
    /// Between 0 and 1.
    Share,
    Strategy,
    Function,
}

use Takes::{Count, Delays, Duration, Factor, Function, Instant, Range, Share, Strategy};

/// The name, what it takes, and how it is written.
type Signature = (&'static str, &'static [Takes], &'static str);

const SIGNATURES: [Signature; 27] = [
    ("attempts", &[Count], "attempts(5)"),
    ("within", &[Duration], "within(30s)"),
    ("elapsed", &[Duration], "elapsed(30s)"),
    ("until", &[Instant], "until(self.closes_at)"),
    ("when", &[Function], "when(|state| …)"),
    ("none", &[], "none()"),
    ("fixed", &[Duration], "fixed(1s)"),
    ("linear", &[Duration, Duration], "linear(1s, 500ms)"),
    ("exponential", &[Duration], "exponential(100ms)"),
    ("fibonacci", &[Duration], "fibonacci(100ms)"),
    ("random", &[Range], "random(50ms..200ms)"),
    ("decorrelated", &[Duration, Duration], "decorrelated(100ms, 10s)"),
    ("sequence", &[Delays], "sequence([1s, 5s])"),
    ("by", &[Function], "by(|state| …)"),
    ("cap", &[Duration], ".cap(10s)"),
    ("floor", &[Duration], ".floor(100ms)"),
    ("full_jitter", &[], ".full_jitter()"),
    ("equal_jitter", &[], ".equal_jitter()"),
    ("jitter", &[Duration], ".jitter(100ms)"),
    ("jitter_factor", &[Share], ".jitter_factor(0.2)"),
    ("factor", &[Factor], ".factor(2)"),
    ("max", &[Strategy], ".max(fixed(1s))"),
    ("min", &[Strategy], ".min(fixed(1s))"),
    ("throttled", &[Strategy], ".throttled(fixed(5s))"),
    ("unless_hinted", &[], ".unless_hinted()"),
    ("times", &[Count], ".times(3).then(fixed(1m))"),
    ("then", &[Strategy], ".times(3).then(fixed(1m))"),
];

/// Whether the arguments are as many as `name` takes, and may be what it takes.
pub(super) fn check(name: &Ident, args: &Punctuated<Expr, Token![,]>, errors: &mut Errors) -> bool {
    let Some((known, takes, example)) = SIGNATURES.iter().find(|(known, ..)| name == known) else {
        return true;
    };
    let (typed, args) = (args, args.iter().collect::<Vec<_>>());
    if args.iter().any(|arg| matches!(arg, Expr::Assign(_))) {
        named(name, &args, example, errors);
        return false;
    }
    if args.len() != takes.len() {
        number_of(known, name, &args, takes, example, errors);
        return false;
    }
    let are_durations = takes.iter().all(|takes| matches!(takes, Takes::Duration));
    if let (true, Some(message)) = (are_durations, literal::without_units(known, &args, ", ")) {
        errors.at(typed, message);
        return false;
    }
    // Each argument is looked at.
    args.iter().zip(*takes).fold(true, |right, (arg, takes)| {
        literal::check(known, *takes, arg, example, errors) && right
    })
}

/// `exponential(base = 100ms, factor = 2)`
fn named(name: &Ident, args: &[&Expr], example: &str, errors: &mut Errors) {
    let (mut first, mut shapers) = (Vec::new(), Vec::new());
    let is_stop = Kind::Stop.known(name).is_some();
    for arg in args {
        let Expr::Assign(assign) = arg else {
            first.push(text(arg));
            continue;
        };
        let (key, value) = (text(&assign.left), text(&assign.right));
        let key = match key.as_str() {
            "max" => "cap",
            "min" => "floor",
            key => key,
        };
        if is_stop {
            first.push(format!(
                "{value}{}",
                if number(&assign.right).is_some() { unit(key) } else { "" }
            ));
            continue;
        }
        match foreign(key).filter(|it| it.part == Part::Shaper) {
            Some(shaper) => shapers.push(shaper.written(Some(&assign.right))),
            None if SHAPERS.contains(&key) => shapers.push(format!("{key}({value})")),
            None => first.push(value),
        }
    }
    let base =
        if first.is_empty() { example.to_owned() } else { format!("{name}({})", first.join(", ")) };
    shapers.insert(0, base);
    let code = shapers.join(".");
    if let Some(Expr::Assign(assign)) = args.iter().find(|arg| matches!(arg, Expr::Assign(_))) {
        errors.at(&assign.left, format!("arguments have no names: write `{code}`"));
    }
}

/// The unit that the name of an argument says.
fn unit(name: &str) -> &'static str {
    match name {
        "s" | "sec" | "secs" | "seconds" => "s",
        "ms" | "millis" | "milliseconds" => "ms",
        "m" | "mins" | "minutes" => "m",
        _ => "",
    }
}

/// Too many arguments, or too few.
fn number_of(
    known: &str,
    name: &Ident,
    args: &[&Expr],
    takes: &[Takes],
    example: &str,
    errors: &mut Errors,
) {
    let typed = args.iter().map(text).collect::<Vec<_>>();
    let one_too_many = args.get(takes.len()).copied();
    let advice = match (known, args) {
        ("random", [a, b]) => Some(format!("a range: `random({}..{})`", text(a), text(b))),
        ("sequence", [_, _, ..]) => Some(format!("a list: `sequence([{}])`", typed.join(", "))),
        ("exponential" | "fibonacci", [base, others @ ..]) => {
            let mut code = vec![format!("{known}({})", text(base))];
            for other in others {
                match (of_expr(other), number(other)) {
                    (Some(_), _) => code.push(format!("cap({})", text(other))),
                    (None, Some(_)) => code.push(format!("factor({})", text(other))),
                    (None, None) => {}
                }
            }
            Some(format!("one duration, and the rest is written behind it: `{}`", code.join(".")))
        }
        ("fixed", [_, _]) => Some(format!(
            "one duration; for one after the other write `sequence([{}])`, for one between them `random({})`",
            typed.join(", "),
            typed.join("..")
        )),
        ("full_jitter" | "equal_jitter", [share]) if number(share).is_some() => {
            Some(format!("no argument; for a part of the delay write `.jitter_factor({})`", text(share)))
        }
        ("full_jitter" | "equal_jitter", [width]) if of_expr(width).is_some() => {
            Some(format!("no argument; to add up to that much write `.jitter({})`", text(width)))
        }
        ("jitter", []) => {
            Some("how much it adds at most: write `.jitter(100ms)`, or `.full_jitter()` for the usual one".to_owned())
        }
        ("attempts", [_, wait]) if of_expr(wait).is_some() => {
            Some(format!("one number; the wait is a key of its own: `wait = fixed({})`", text(wait)))
        }
        _ => None,
    };
    let message = match advice {
        Some(advice) => format!("`{known}` takes {advice}"),
        None => format!("`{known}` takes {}: `{example}`", described(takes)),
    };
    match one_too_many {
        Some(first) if !takes.is_empty() => errors.at(first, message),
        _ => errors.at(name, message),
    }
}

/// The arguments in words.
fn described(takes: &[Takes]) -> String {
    let Some(first) = takes.first() else { return "no argument".to_owned() };
    let (article, noun) = match first {
        Count | Factor | Share => ("a", "number"),
        Duration => ("a", "duration"),
        Instant => ("an", "`Instant`"),
        Range => ("a", "range"),
        Delays => ("a", "list"),
        Strategy => ("a", "strategy"),
        Function => ("a", "function"),
    };
    if takes.len() == 2 { format!("two {noun}s") } else { format!("{article} {noun}") }
}

/// Whether an expression is a point in time, as far as can be seen.
pub(super) fn is_instant(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Call(call) => match bare(&call.func) {
            Expr::Path(path) => path.path.segments.iter().any(|it| it.ident == "Instant"),
            _ => false,
        },
        Expr::Binary(sum) if matches!(sum.op, syn::BinOp::Add(_)) => is_instant(&sum.left),
        _ => false,
    }
}
