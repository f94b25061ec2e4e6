//! What a closure in `wait` answers with.
//!
//! ```text
//! |state, outcome| match outcome { Err(Busy) => exponential(1s), _ => fixed(100ms) }
//!
//! |__retry_state, outcome| {
//!     let state = __retry_state;
//!     match outcome {
//!         Err(Busy) => answer(__retry_state, exponential(1s)),
//!         _ => answer(__retry_state, fixed(100ms)),
//!     }
//! }
//! ```

use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure, ExprReturn, Pat, ReturnType, Stmt, parse_quote_spanned};

use crate::diagnose::mixed;
use crate::emit::private::Private;
use crate::read::duration::bare;
use crate::read::strategy::{Form, Kind, Strategy, tails};

/// Whether the closure decides between strategies, whose types differ.
pub(crate) fn decides(closure: &ExprClosure) -> bool {
    let (mut leaves, mut has_strategy) = (0, false);
    each_leaf(&mut closure.body.clone(), &mut |leaf| {
        leaves += 1;
        has_strategy |= is_strategy(leaf);
    });
    leaves > 1 && has_strategy && matches!(closure.output, ReturnType::Default)
}

/// The closure with each strategy asked where it stands.
pub(crate) fn asked(mut closure: ExprClosure) -> ExprClosure {
    let Some(first) = closure.inputs.first_mut() else { return closure };
    let state = Ident::new("__retry_state", Span::mixed_site());
    let span = mixed(first.span());
    let pattern = match first {
        Pat::Type(typed) => &mut *typed.pat,
        pattern => pattern,
    };
    let pattern = std::mem::replace(pattern, parse_quote_spanned!(span=> #state));
    each_leaf(&mut closure.body, &mut |leaf| wrap(leaf, &state));
    Returns { state: &state }.visit_expr_mut(&mut closure.body);
    let named = quote_spanned!(span=> let #pattern = #state;);
    match &mut *closure.body {
        // A block in a block would be one too many to the compiler's lints.
        Expr::Block(body) if body.label.is_none() => {
            body.block.stmts.insert(0, Stmt::Expr(Expr::Verbatim(named), None));
        }
        body => *body = Expr::Verbatim(quote_spanned!(span=> { #named #body })),
    }
    closure
}

/// Calls `f` on each of what the closure may give at its end.
fn each_leaf(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    match expr {
        Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Paren(_) => {
            tails(expr, &mut |tail| each_leaf(tail, f));
        }
        leaf => f(leaf),
    }
}

/// Whether a strategy of the grammar stands there, if only in a `Some`.
fn is_strategy(leaf: &Expr) -> bool {
    if let Expr::Call(call) = bare(leaf) {
        if matches!(bare(&call.func), Expr::Path(path) if path.path.is_ident("Some")) {
            return call.args.first().is_some_and(is_strategy);
        }
    }
    let mut known = false;
    Strategy::read(Kind::Wait, leaf.clone())
        .walk(&mut |strategy| known |= matches!(strategy.form, Form::Known(..)));
    known
}

/// Asks what stands there, unless nothing is answered with.
fn wrap(leaf: &mut Expr, state: &Ident) {
    const ENDS: [&str; 4] = ["panic", "unreachable", "todo", "unimplemented"];
    let answers = match bare(leaf) {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => false,
        Expr::Path(path) => !path.path.is_ident("None"),
        Expr::Macro(it) => !ENDS.iter().any(|name| it.mac.path.is_ident(name)),
        _ => true,
    };
    if answers {
        let span = mixed(leaf.span());
        let answer = Private::call(
            &quote_spanned!(span=> answer),
            quote_spanned!(span=> #state, #leaf),
            leaf,
        );
        *leaf = Expr::Verbatim(answer);
    }
}

/// Asks what a `return` of the closure gives.
struct Returns<'a> {
    state: &'a Ident,
}

impl VisitMut for Returns<'_> {
    fn visit_expr_return_mut(&mut self, given: &mut ExprReturn) {
        visit_mut::visit_expr_return_mut(self, given);
        if let Some(given) = &mut given.expr {
            wrap(given, self.state);
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}

    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
