//! `250ms` literals → `Duration`.

use core::time::Duration;

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Error, Expr, Lit, Macro, Pat};

use crate::diagnose::{Errors, list, mixed};
use crate::read::tokens;

const UNITS: [(&str, u128); 7] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", NANOS_PER_SEC),
    ("m", 60 * NANOS_PER_SEC),
    ("h", 3_600 * NANOS_PER_SEC),
    ("d", 86_400 * NANOS_PER_SEC),
];

const NANOS_PER_SEC: u128 = 1_000_000_000;

/// Units as other languages write them.
const MEANT: [(&str, &[&str]); 7] = [
    ("ns", &["nanos", "nsec", "nsecs", "nanosecond", "nanoseconds"]),
    ("us", &["µs", "μs", "micros", "usec", "usecs", "microsecond", "microseconds"]),
    ("ms", &["millis", "msec", "msecs", "milli", "millisecond", "milliseconds", "Ms", "MS"]),
    ("s", &["sec", "secs", "second", "seconds", "S"]),
    ("m", &["min", "mins", "minute", "minutes", "M"]),
    ("h", &["hr", "hrs", "hour", "hours", "H"]),
    ("d", &["day", "days", "D"]),
];

/// The suffixes that the compiler knows.
const NUMBERS: [&str; 16] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f16",
    "f32", "f64", "f128",
];

/// The duration that a literal stands for; `None` if it is not written as one.
pub(crate) fn of_literal(lit: &Lit) -> Option<syn::Result<Duration>> {
    let (digits, suffix) = match lit {
        Lit::Int(lit) => (lit.base10_digits(), lit.suffix()),
        Lit::Float(lit) => (lit.base10_digits(), lit.suffix()),
        _ => return None,
    };
    if suffix.is_empty() || NUMBERS.contains(&suffix) {
        return None;
    }
    Some(parse(&lit_text(lit), digits, suffix).map_err(|message| Error::new(lit.span(), message)))
}

/// The duration that an expression stands for, if it is nothing but a valid literal.
pub(crate) fn of_expr(expr: &Expr) -> Option<Duration> {
    match bare(expr) {
        Expr::Lit(expr) => of_literal(&expr.lit)?.ok(),
        _ => None,
    }
}

/// The expression without the parentheses and invisible groups around it.
pub(crate) fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => bare(&paren.expr),
        Expr::Group(group) => bare(&group.expr),
        expr => expr,
    }
}

fn lit_text(lit: &Lit) -> String {
    quote::ToTokens::to_token_stream(lit).to_string()
}

fn parse(text: &str, digits: &str, suffix: &str) -> Result<Duration, String> {
    let Some((_, unit)) = UNITS.iter().find(|(name, _)| *name == suffix) else {
        let meant = MEANT.iter().find(|(_, others)| others.contains(&suffix));
        let meant = meant.map_or(String::new(), |(unit, _)| format!("; write `{digits}{unit}`"));
        let units = list(UNITS.map(|(name, _)| name));
        return Err(format!("unknown unit `{suffix}` in `{text}`{meant}; the units are {units}"));
    };
    if let Some(prefix @ ("0x" | "0b" | "0o")) = text.get(..2) {
        return Err(format!("a duration is written in decimal, without `{prefix}`"));
    }
    let nanos = nanos(digits, *unit).map_err(|problem| match problem {
        Problem::TooLong => format!("`{text}` is longer than a `Duration` can be"),
        Problem::TooFine => format!("`{text}` is finer than a nanosecond"),
    })?;
    let secs = u64::try_from(nanos / NANOS_PER_SEC)
        .map_err(|_| format!("`{text}` is longer than a `Duration` can be"))?;
    let nanos = u32::try_from(nanos % NANOS_PER_SEC).unwrap_or_default();
    Ok(Duration::new(secs, nanos))
}

enum Problem {
    TooLong,
    TooFine,
}

/// `digits` (decimal, perhaps with a fraction and an exponent) times `unit`, exactly.
fn nanos(digits: &str, unit: u128) -> Result<u128, Problem> {
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            (mantissa, exponent.parse::<i32>().map_err(|_| Problem::TooLong)?)
        }
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{}", fraction.trim_end_matches('0'));
    let all = all.trim_start_matches('0');
    if all.is_empty() {
        return Ok(0);
    }
    let value = all.parse::<u128>().map_err(|_| Problem::TooLong)?;
    let value = value.checked_mul(unit).ok_or(Problem::TooLong)?;
    let places = i32::try_from(fraction.trim_end_matches('0').len()).unwrap_or(i32::MAX);
    let exponent = exponent.saturating_sub(places);
    let power = 10_u128.checked_pow(exponent.unsigned_abs());
    match (exponent < 0, power) {
        (false, Some(power)) => value.checked_mul(power).ok_or(Problem::TooLong),
        (false, None) => Err(Problem::TooLong),
        (true, Some(power)) if value % power == 0 => Ok(value / power),
        (true, _) => Err(Problem::TooFine),
    }
}

/// Replaces the duration literals in `expr`, those in nested macro calls included.
pub(crate) fn replace(expr: &mut Expr, errors: &mut Errors) {
    Replace { errors }.visit_expr_mut(expr);
}

/// Complains about duration literals in a pattern.
pub(crate) fn reject(pat: &Pat, errors: &mut Errors) {
    Replace { errors }.visit_pat_mut(&mut pat.clone());
}

struct Replace<'a> {
    errors: &'a mut Errors,
}

impl Replace<'_> {
    fn literal(&mut self, lit: &Lit) -> Option<TokenStream> {
        let duration = self.errors.note(of_literal(lit)?).unwrap_or_default();
        Some(constructor(duration, lit.span()))
    }
}

impl VisitMut for Replace<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Lit(lit) = expr {
            if let Some(tokens) = self.literal(&lit.lit) {
                *expr = Expr::Verbatim(tokens);
                return;
            }
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Lit(lit) = pat {
            if of_literal(&lit.lit).is_some() {
                self.errors.at(lit, "a duration cannot stand in a pattern; compare it in a guard");
                return;
            }
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        mac.tokens = tokens::replace(std::mem::take(&mut mac.tokens), &mut |tree| match tree {
            TokenTree::Literal(literal) => {
                let duration = self.literal(&Lit::new(literal.clone()))?;
                Some(Group::new(Delimiter::None, duration).into())
            }
            _ => None,
        });
    }
}

/// The duration as an expression.
fn constructor(duration: Duration, span: Span) -> TokenStream {
    let span = mixed(span);
    let secs = Literal::u64_suffixed(duration.as_secs());
    let nanos = Literal::u32_suffixed(duration.subsec_nanos());
    quote_spanned!(span=> __retry::duration(#secs, #nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Duration, String> {
        let lit = syn::parse_str::<Lit>(text).map_err(|error| error.to_string())?;
        of_literal(&lit).ok_or("not a duration")?.map_err(|error| error.to_string())
    }

    #[test]
    fn every_unit_reads_exactly() {
        let secs = Duration::from_secs;
        for (text, duration) in [
            ("100ns", Duration::from_nanos(100)),
            ("10us", Duration::from_micros(10)),
            ("1_000ms", secs(1)),
            ("10_ms", Duration::from_millis(10)),
            ("30s", secs(30)),
            ("5m", secs(300)),
            ("2h", secs(7200)),
            ("1d", secs(86_400)),
            ("1.5s", Duration::from_millis(1500)),
            ("0.1s", Duration::from_millis(100)),
            ("2.50m", secs(150)),
            ("1e3s", secs(1000)),
            ("1.5e-3s", Duration::from_micros(1500)),
            ("0s", Duration::ZERO),
            ("0.0h", Duration::ZERO),
            ("18446744073709551615s", secs(u64::MAX)),
        ] {
            assert_eq!(read(text), Ok(duration), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_duration_is_told_why() {
        for (text, part) in [
            ("5sec", "write `5s`"),
            ("1min", "write `1m`"),
            ("250µs", "write `250us`"),
            ("5parsecs", "the units are `ns`, `us`, `ms`, `s`, `m`, `h`, `d`"),
            ("0x10s", "without `0x`"),
            ("0b1s", "without `0b`"),
            ("18446744073709551616s", "longer than"),
            ("999999999999999999999999999999999999999999s", "longer than"),
            ("1e99s", "longer than"),
            ("1e99999999999s", "longer than"),
            ("0.5ns", "finer than"),
            ("1e-40s", "finer than"),
        ] {
            let message = read(text).err().unwrap_or_default();
            assert!(message.contains(part), "{text}: {message:?}");
        }
    }

    #[test]
    fn plain_numbers_are_left_alone() {
        for text in ["5", "5u32", "1.5", "1.5f64", "0x1d", "\"5s\"", "b'a'"] {
            assert_eq!(read(text), Err("not a duration".to_owned()), "{text}");
        }
    }
}
