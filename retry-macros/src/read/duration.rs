//! `250ms` literals → `Duration`.

use core::time::Duration;

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use retry_core::text::{self, Malformed, list};
use syn::visit_mut::{self, VisitMut};
use syn::{Error, Expr, Lit, Macro, Pat};

use crate::diagnose::{Errors, mixed};
use crate::read::tokens;

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
    let text = lit.to_token_stream().to_string();
    Some(parse(&text, digits).map_err(|message| Error::new(lit.span(), message)))
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

fn parse(text: &str, digits: &str) -> Result<Duration, String> {
    text::parse(text).map_err(|malformed| match malformed {
        Malformed::UnknownUnit(unit) => {
            let meant = text::unit_meant(unit).map(|unit| format!("{digits}{unit}"));
            // `1m30s`
            let meant = meant.or_else(|| text::meant(text));
            let meant = meant.map_or(String::new(), |meant| format!("; write `{meant}`"));
            let units = list(text::UNITS.map(|(name, _)| name));
            format!("unknown unit `{unit}` in `{text}`{meant}; the units are {units}")
        }
        Malformed::NotDecimal(prefix) => {
            format!("a duration is written in decimal, without `{prefix}`")
        }
        Malformed::TooLong => format!("`{text}` is longer than a `Duration` can be"),
        Malformed::TooFine => format!("`{text}` is finer than a nanosecond"),
        // No literal of Rust with a suffix is any of these.
        Malformed::Empty | Malformed::Negative | Malformed::NoUnit | Malformed::NoNumber => {
            format!("`{text}` is not a duration; write `100ms`, `30s`, …")
        }
    })
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
    fn a_literal_is_read_as_text_is() {
        let secs = Duration::from_secs;
        for (text, duration) in [
            ("1_000ms", secs(1)),
            ("10_ms", Duration::from_millis(10)),
            ("1.5s", Duration::from_millis(1500)),
            ("1.5e-3s", Duration::from_micros(1500)),
            ("250µs", Duration::from_micros(250)),
            ("18446744073709551615s", secs(u64::MAX)),
        ] {
            assert_eq!(read(text), Ok(duration), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_duration_is_told_why() {
        for (text, part) in [
            ("5sec", "write `5s`"),
            ("1_0min", "write `10m`"),
            ("5parsecs", "the units are `ns`, `us`, `ms`, `s`, `m`, `h`, `d`"),
            ("0x10s", "without `0x`"),
            ("0b1s", "without `0b`"),
            ("18446744073709551616s", "longer than"),
            ("0.5ns", "finer than"),
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
