//! A key is expanded where it is used, outside of what the function runs at each attempt, so
//! nothing in it can leave the function or suspend it.

use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{Error, Expr, Label, Lifetime};

use super::Place;
use crate::diagnose::Errors;

/// Rejects what would leave a key, or wait in one. What closures and `async` blocks do is theirs,
/// and macros are not looked into.
pub(super) fn check(key: &str, expr: &Expr, place: Place<'_>, errors: &mut Errors) {
    Leaving { key, place, around: Vec::new(), errors }.visit_expr(expr);
}

struct Leaving<'a> {
    key: &'a str,
    place: Place<'a>,
    /// What is around and can be broken out of: whether it is a loop, and its label.
    around: Vec<(bool, Option<String>)>,
    errors: &'a mut Errors,
}

impl Leaving<'_> {
    fn report(&mut self, span: Span, what: &str) {
        let Self { key, place, .. } = self;
        let (whole, before) = if place.macro_name == "block!" {
            ("block", "before the block")
        } else {
            ("function", "in a function around this one, and hand it over as an argument")
        };
        let message = match what {
            "break" | "continue" => format!("`{what}` in `{key}` has no loop around it"),
            ".await" => format!("`{key}` cannot await anything; await the value {before}"),
            _ => {
                format!("`{what}` in `{key}` cannot leave the {whole}; compute the value {before}")
            }
        };
        self.errors.push(Error::new(span, message));
    }

    /// Whether a `break` or `continue` stays inside.
    fn stays(&self, label: Option<&Lifetime>) -> bool {
        match label {
            Some(label) => {
                let label = label.ident.to_string();
                self.around.iter().any(|(_, around)| around.as_ref() == Some(&label))
            }
            None => self.around.iter().any(|(is_loop, _)| *is_loop),
        }
    }

    fn inside(&mut self, is_loop: bool, label: Option<&Label>, visit: impl FnOnce(&mut Self)) {
        self.around.push((is_loop, label.map(|label| label.name.ident.to_string())));
        visit(self);
        self.around.pop();
    }
}

impl<'a> Visit<'a> for Leaving<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Closure(_) | Expr::Async(_) | Expr::Const(_) | Expr::TryBlock(_) => {}
            Expr::Try(it) => {
                self.visit_expr(&it.expr);
                self.report(it.question_token.spans[0], "?");
            }
            Expr::Await(it) => {
                self.visit_expr(&it.base);
                self.report(it.await_token.span, ".await");
            }
            Expr::Return(it) => self.report(it.return_token.span, "return"),
            Expr::Break(it) if !self.stays(it.label.as_ref()) => {
                self.report(it.break_token.span, "break");
            }
            Expr::Continue(it) if !self.stays(it.label.as_ref()) => {
                self.report(it.continue_token.span, "continue");
            }
            Expr::Loop(it) => {
                self.inside(true, it.label.as_ref(), |this| visit::visit_expr(this, expr));
            }
            Expr::While(it) => {
                self.inside(true, it.label.as_ref(), |this| visit::visit_expr(this, expr));
            }
            Expr::ForLoop(it) => {
                self.visit_expr(&it.expr);
                self.inside(true, it.label.as_ref(), |this| this.visit_block(&it.body));
            }
            Expr::Block(it) if it.label.is_some() => {
                self.inside(false, it.label.as_ref(), |this| visit::visit_expr(this, expr));
            }
            _ => visit::visit_expr(self, expr),
        }
    }

    /// A function inside is a function of its own.
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a fixture that is no Rust is a mistake of the test

    use super::*;

    fn is_rejected(source: &str) -> bool {
        let mut errors = Errors::default();
        let place = Place { macro_name: "#[retry]", arguments: &[] };
        check("enabled", &syn::parse_str(source).unwrap(), place, &mut errors);
        !errors.is_empty()
    }

    #[test]
    fn what_leaves_a_key_is_rejected() {
        for source in [
            "x()?",
            "f(|| 1, x.y()?.z)",
            "x.await",
            "return",
            "{ loop { return 1 } }",
            "{ if a { break } 1 }",
            "'a: { break }",
            "loop { break 'other }",
            "{ for _ in x? { } 1 }",
            "{ for _ in { continue } { } 1 }",
            "async { 1 }.await",
            "{ let f = || 1; f()? }",
        ] {
            assert!(is_rejected(source), "{source}");
        }
    }

    #[test]
    fn what_stays_inside_is_not() {
        for source in [
            "|| x()?",
            "|state| { return state.attempt() > 3 }",
            "async |attempt| gate(attempt).await",
            "|_| async { x.await? }",
            "loop { break 1 }",
            "{ while x { if y { continue } } 1 }",
            "'a: { if x { break 'a 1 } 2 }",
            "'a: loop { for _ in x { break 'a } }",
            "{ fn inner() -> Option<u32> { Some(x()?) } inner() }",
            "m!(x()?)",
        ] {
            assert!(!is_rejected(source), "{source}");
        }
    }
}
