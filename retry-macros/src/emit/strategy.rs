//! Strategies as values of the runtime crate, with the user's spans kept.
//!
//! The known names become paths into the runtime crate, the operators become calls (so that a
//! user's own type may stand on either side), closures become `when(…)` and `by(…)`, and places
//! are borrowed instead of moved out of.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprCall, ExprClosure, Ident, Path};

use crate::diagnose::mixed;
use crate::emit::answers;
use crate::emit::private::{Private, reference};
use crate::read::strategy::{Form, Kind, Strategy, head, tails};

/// How strategies are written in one place.
pub(crate) struct Writer<'a> {
    /// Names that mean a value of the user's, not a strategy: the function's arguments.
    pub(crate) arguments: &'a [Ident],
    /// Whether the value is made once and outlives its place: places are moved, not borrowed.
    pub(crate) moves: bool,
    /// Whether a stop need not end every call.
    pub(crate) endless: bool,
}

impl Writer<'_> {
    /// The strategy as a value of the runtime crate.
    pub(crate) fn tokens(&self, strategy: &Strategy) -> TokenStream {
        let (expr, user) = (self.written(strategy), &strategy.typed);
        match strategy.kind {
            Kind::Wait => Private::call(&quote!(IntoWait::into_wait), quote!(#expr), user),
            Kind::Stop => {
                let stop = Private::call(&quote!(IntoStop::into_stop), quote!(#expr), user);
                let bound = if self.endless { quote!(may_go_on) } else { quote!(must_end) };
                Private::call(&bound, stop, user)
            }
        }
    }

    /// A wait that is a closure, called where it stands, so that it may change what it captures and
    /// see the outcome. `None` if it is none.
    pub(crate) fn in_place(
        &self,
        wait: &Strategy,
        outcome: &Ident,
        answers: &TokenStream,
    ) -> Option<TokenStream> {
        let Form::Closure(Expr::Closure(closure)) = &wait.form else { return None };
        let seeing = closure.inputs.len() > 1;
        let closure = self.wait_closure(closure);
        Some(if seeing {
            let outcome = reference(outcome, &wait.typed);
            Private::call(&quote!(seeing), quote!(#answers, #outcome, #closure), &wait.typed)
        } else {
            Private::call(&quote!(in_place), quote!(#answers, #closure), &wait.typed)
        })
    }

    fn wait_closure(&self, closure: &ExprClosure) -> Expr {
        match self.value(Kind::Wait, &Expr::Closure(closure.clone())) {
            Expr::Closure(written) if answers::decides(closure) => {
                Expr::Closure(answers::asked(written))
            }
            written => written,
        }
    }

    /// The strategy as something that `into_stop` or `into_wait` accepts.
    fn written(&self, strategy: &Strategy) -> Expr {
        let kind = strategy.kind;
        match &strategy.form {
            Form::Joined(op, sides) => {
                let name = match (kind, op) {
                    (Kind::Stop, BinOp::BitAnd(_)) => "and",
                    (Kind::Stop, _) => "or",
                    (Kind::Wait, _) => "add",
                };
                let span = mixed(op.span());
                let call = path(kind, &Ident::new(name, span));
                let [left, right] = &**sides;
                let (left, right) = (self.written(left), self.written(right));
                Expr::Verbatim(quote_spanned!(span=> #call(#left, #right)))
            }
            Form::Closure(closure) => {
                let span = match closure {
                    Expr::Closure(closure) => closure.inputs_begin.spans[0],
                    other => other.span(),
                };
                let name = match kind {
                    Kind::Stop => "when",
                    Kind::Wait => "by",
                };
                let wrap = path(kind, &Ident::new(name, mixed(span)));
                let closure = match closure {
                    Expr::Closure(closure) if kind == Kind::Wait => self.wait_closure(closure),
                    closure => self.value(kind, closure),
                };
                Expr::Verbatim(quote_spanned!(mixed(span)=> #wrap(#closure)))
            }
            Form::Shaped(inner, call, others) => {
                let mut call = call.clone();
                if !others.is_empty() {
                    // As far from the user's tokens as what is written for the strategies in it: else
                    // the compiler underlines the whole attribute where one of them is none.
                    call.method.set_span(mixed(call.method.span()));
                }
                *call.receiver = self.written(inner);
                call.args = call.args.iter().map(|arg| self.value(kind, arg)).collect();
                call.args.extend(others.iter().map(|other| self.written(other)));
                Expr::MethodCall(call)
            }
            Form::Branches(expr, strategies) => {
                let mut expr = self.value(kind, expr);
                let mut strategies = strategies.iter();
                tails(&mut expr, &mut |tail| {
                    if let Some(strategy) = strategies.next() {
                        *tail = self.written(strategy);
                    }
                });
                expr
            }
            Form::Place(place) if !self.moves => {
                let span = mixed(place.span());
                let place = self.value(kind, place);
                Expr::Verbatim(quote_spanned!(span=> (&#place)))
            }
            Form::Known(_, call) => self.value(kind, &Expr::Call(call.clone())),
            Form::Place(expr) | Form::Other(expr) => self.value(kind, expr),
        }
    }

    /// An expression that is not itself a strategy, but may hold some.
    fn value(&self, kind: Kind, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        Absolute { kind, arguments: self.arguments }.visit_expr_mut(&mut expr);
        expr
    }
}

/// The known name as a path into the runtime crate.
fn path(kind: Kind, name: &Ident) -> TokenStream {
    let private = Private::at(name.span());
    let module = Ident::new(kind.key(), mixed(name.span()));
    quote_spanned!(mixed(name.span())=> #private::#module::#name)
}

/// Makes paths of the known names, wherever they are called.
struct Absolute<'a> {
    kind: Kind,
    arguments: &'a [Ident],
}

impl Absolute<'_> {
    fn make(&self, path: &mut Path) {
        if let Some(name) = path.get_ident() {
            if let Ok(absolute) = syn::parse2(self::path(self.kind, name)) {
                *path = absolute;
            }
        }
    }
}

impl VisitMut for Absolute<'_> {
    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        if head(call).and_then(|head| self.kind.known(head)).is_some() {
            if let Expr::Path(path) = &mut *call.func {
                self.make(&mut path.path);
            }
        }
    }

    /// `self.max.map(attempts)`: the strategy itself as a function.
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        if call.method != "map" && call.method != "map_or" && call.method != "and_then" {
            return;
        }
        for arg in &mut call.args {
            let Expr::Path(path) = arg else { continue };
            let Some(ident) = path.path.get_ident() else { continue };
            if self.kind.known(ident).is_some() && !self.arguments.contains(ident) {
                self.make(&mut path.path);
            }
        }
    }
}
