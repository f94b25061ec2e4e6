//! Strategy calls → absolute paths, with the user's spans kept.
//!
//! Only what stands where a strategy can stand is touched: the heads of section "Strategies" of
//! the crate's documentation become paths into the runtime crate, the operators become calls (so
//! that a user's own type may stand on either side), closures become `when(…)` and `by(…)`, and
//! places are borrowed instead of moved out of. A path with more than one segment is the user's.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, ExprCall, Ident, Path, Stmt};

use crate::diagnose::{Errors, list, mixed, similar};
use crate::emit::private::Private;
use crate::read::duration;

/// Which of the two kinds of strategy an expression must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Stop,
    Wait,
}

const STOPS: [&str; 5] = ["attempts", "within", "elapsed", "until", "when"];
const WAITS: [&str; 9] = [
    "none",
    "fixed",
    "linear",
    "exponential",
    "fibonacci",
    "random",
    "decorrelated",
    "sequence",
    "by",
];
/// What `on` knows.
pub(crate) const CONDITIONS: [&str; 8] =
    ["error", "ok", "output", "any_error", "matches", "is", "source_is", "transient"];
/// Methods that make a strategy of a strategy.
pub(crate) const SHAPERS: [&str; 12] = [
    "cap",
    "floor",
    "full_jitter",
    "equal_jitter",
    "jitter",
    "jitter_factor",
    "max",
    "min",
    "throttled",
    "times",
    "then",
    "factor",
];
/// Those of them whose argument is a strategy too.
const COMBINATORS: [&str; 4] = ["max", "min", "throttled", "then"];

impl Kind {
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Wait => "wait",
        }
    }

    pub(crate) const fn heads(self) -> &'static [&'static str] {
        match self {
            Self::Stop => &STOPS,
            Self::Wait => &WAITS,
        }
    }

    /// What a strategy of the other kind, or of another library, is called here.
    fn meant(self, head: &str) -> Option<&'static str> {
        Some(match (self, head) {
            (Self::Stop, "max_attempts" | "stop_after_attempt" | "retries" | "max_retries") => {
                "attempts(n)"
            }
            (Self::Stop, "timeout" | "max_time" | "after" | "stop_after_delay" | "max_elapsed") => {
                "within(duration)"
            }
            (Self::Stop, "never" | "stop_never" | "infinite") => "forever` in place of `stop",
            (Self::Wait, "expo" | "exp" | "exponential_backoff" | "wait_exponential") => {
                "exponential(base)"
            }
            (Self::Wait, "constant" | "wait_fixed" | "interval" | "delay" | "every") => {
                "fixed(duration)"
            }
            (Self::Wait, "fibo" | "fib") => "fibonacci(base)",
            (Self::Wait, "incremental" | "increment" | "wait_incrementing") => {
                "linear(start, step)"
            }
            (Self::Wait, "wait_random" | "uniform") => "random(least..most)",
            (Self::Wait, "no_wait" | "zero" | "immediate") => "none()",
            _ => return None,
        })
    }
}

/// The name of a call `name(…)`, if nothing stands before it.
pub(crate) fn head(call: &ExprCall) -> Option<&Ident> {
    match duration::bare(&call.func) {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// The head of a call, if it is a strategy of this kind.
pub(crate) fn known(call: &ExprCall, kind: Kind) -> Option<String> {
    let head = head(call)?.to_string();
    kind.heads().contains(&head.as_str()).then_some(head)
}

/// Whether a known stop, wait or condition has this name, and which key it belongs to.
pub(crate) fn key_of(name: &str) -> Option<&'static str> {
    let keys = [("stop", &STOPS[..]), ("wait", &WAITS[..]), ("on", &CONDITIONS[..])];
    keys.into_iter().find(|(_, names)| names.contains(&name)).map(|(key, _)| key)
}

/// Whether the method makes a strategy of a strategy.
pub(crate) fn is_shaper(method: &Ident) -> bool {
    SHAPERS.iter().any(|name| method == name)
}

/// Whether the method's argument is a strategy.
pub(crate) fn is_combinator(method: &Ident) -> bool {
    COMBINATORS.iter().any(|name| method == name)
}

/// Whether the strategy may ask for the time: all may that are not known not to.
pub(crate) fn is_timed(expr: &Expr, kind: Kind) -> bool {
    match expr {
        Expr::Paren(paren) => is_timed(&paren.expr, kind),
        Expr::Group(group) => is_timed(&group.expr, kind),
        Expr::Binary(binary) => is_timed(&binary.left, kind) || is_timed(&binary.right, kind),
        Expr::Call(call) => match known(call, kind).as_deref() {
            Some("within" | "elapsed" | "until" | "when" | "by") | None => true,
            Some(_) => false,
        },
        Expr::MethodCall(call) if kind == Kind::Wait && is_shaper(&call.method) => {
            is_timed(&call.receiver, kind)
                || (is_combinator(&call.method) && call.args.iter().any(|arg| is_timed(arg, kind)))
        }
        // `self.max.map(attempts)`
        Expr::MethodCall(call) if call.method == "map" => match call.args.first() {
            Some(Expr::Path(path)) => !path.path.is_ident("attempts"),
            _ => true,
        },
        _ => true,
    }
}

/// Writes strategies as calls into the runtime crate.
pub(crate) struct Rewrite<'a> {
    pub(crate) kind: Kind,
    /// Names that mean a value of the user's, not a strategy: the function's arguments.
    pub(crate) arguments: &'a [Ident],
}

impl Rewrite<'_> {
    /// `expr`, which stands where a strategy is expected, as something that `into_stop` or
    /// `into_wait` accepts. Places are borrowed, since it is evaluated more than once.
    pub(crate) fn strategy(&mut self, expr: Expr) -> Expr {
        Writer { rewrite: self, moves: false }.strategy(expr)
    }

    /// The same for a value that is made once and outlives its place: places are moved.
    pub(crate) fn moved_strategy(&mut self, expr: Expr) -> Expr {
        Writer { rewrite: self, moves: true }.strategy(expr)
    }

    fn path(&self, name: &Ident) -> TokenStream {
        let private = Private::at(name.span());
        let module = Ident::new(self.kind.key(), mixed(name.span()));
        quote_spanned!(mixed(name.span())=> #private::#module::#name)
    }

    fn absolute(&self, path: &mut Path) {
        if let Some(ident) = path.get_ident() {
            let tokens = self.path(ident);
            if let Ok(absolute) = syn::parse2(tokens) {
                *path = absolute;
            }
        }
    }
}

/// Walks an expression for a [`Rewrite`].
struct Writer<'a> {
    rewrite: &'a Rewrite<'a>,
    /// Whether a place is moved, not borrowed.
    moves: bool,
}

impl Writer<'_> {
    fn strategy(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::Paren(mut paren) => match self.strategy(*paren.expr) {
                inner @ (Expr::If(_) | Expr::Match(_) | Expr::Block(_)) => {
                    *paren.expr = inner;
                    Expr::Paren(paren)
                }
                // Operators have become calls, around which parentheses would be superfluous.
                inner => inner,
            },
            Expr::Group(group) => self.strategy(*group.expr),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Closure(closure) => {
                let span = mixed(closure.inputs_begin.spans[0]);
                let wrap = self.rewrite.path(&match self.rewrite.kind {
                    Kind::Stop => Ident::new("when", span),
                    Kind::Wait => Ident::new("by", span),
                });
                let closure = self.value(Expr::Closure(closure));
                Expr::Verbatim(quote_spanned!(span=> #wrap(#closure)))
            }
            Expr::MethodCall(mut call)
                if self.rewrite.kind == Kind::Wait && is_shaper(&call.method) =>
            {
                *call.receiver = self.strategy(*call.receiver);
                let combinator = is_combinator(&call.method);
                call.args = std::mem::take(&mut call.args)
                    .into_iter()
                    .map(|arg| if combinator { self.strategy(arg) } else { self.value(arg) })
                    .collect();
                Expr::MethodCall(call)
            }
            Expr::If(mut branch) => {
                *branch.cond = self.value(*branch.cond);
                self.block(&mut branch.then_branch);
                branch.else_branch = branch
                    .else_branch
                    .map(|(token, other)| (token, Box::new(self.strategy(*other))));
                Expr::If(branch)
            }
            Expr::Match(mut matched) => {
                *matched.expr = self.value(*matched.expr);
                for arm in &mut matched.arms {
                    let body = std::mem::replace(&mut *arm.body, nothing());
                    *arm.body = self.strategy(body);
                }
                Expr::Match(matched)
            }
            Expr::Block(mut block) => {
                self.block(&mut block.block);
                Expr::Block(block)
            }
            expr if !self.moves && is_place(&expr) => {
                let span = mixed(expr.span());
                let place = self.value(expr);
                Expr::Verbatim(quote_spanned!(span=> (&#place)))
            }
            expr => self.value(expr),
        }
    }

    fn binary(&mut self, binary: syn::ExprBinary) -> Expr {
        let operator = match (self.rewrite.kind, &binary.op) {
            (Kind::Stop, BinOp::BitOr(_)) => "or",
            (Kind::Stop, BinOp::BitAnd(_)) => "and",
            (Kind::Wait, BinOp::Add(_)) => "add",
            // Rejected in `check`; emitted as it is so that the rest can be looked at.
            _ => return Expr::Binary(binary),
        };
        let span = mixed(binary.op.span());
        let call = self.rewrite.path(&Ident::new(operator, span));
        let (left, right) = (self.strategy(*binary.left), self.strategy(*binary.right));
        Expr::Verbatim(quote_spanned!(span=> #call(#left, #right)))
    }

    fn block(&mut self, block: &mut Block) {
        let last = block.stmts.pop();
        for stmt in &mut block.stmts {
            self.visit_stmt_mut(stmt);
        }
        block.stmts.extend(last.map(|stmt| match stmt {
            Stmt::Expr(expr, None) => Stmt::Expr(self.strategy(expr), None),
            mut stmt => {
                self.visit_stmt_mut(&mut stmt);
                stmt
            }
        }));
    }

    /// An expression that is not itself a strategy, but may hold some.
    fn value(&mut self, mut expr: Expr) -> Expr {
        self.visit_expr_mut(&mut expr);
        expr
    }
}

impl VisitMut for Writer<'_> {
    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        if known(call, self.rewrite.kind).is_some() {
            if let Expr::Path(path) = &mut *call.func {
                self.rewrite.absolute(&mut path.path);
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
            let named = self.rewrite.kind.heads().iter().any(|head| ident == head);
            if named && !self.rewrite.arguments.contains(ident) {
                self.rewrite.absolute(&mut path.path);
            }
        }
    }
}

/// A strategy, written in the form `expr`, as a value of the runtime crate; `value` is what the
/// user wrote. One that need not end is `endless`.
pub(crate) fn convert(
    private: &Private,
    kind: Kind,
    expr: &Expr,
    value: &Expr,
    endless: bool,
) -> TokenStream {
    match kind {
        Kind::Wait => private.call(&quote!(IntoWait::into_wait), quote!(#expr), value),
        Kind::Stop => {
            let stop = private.call(&quote!(IntoStop::into_stop), quote!(#expr), value);
            if endless { stop } else { private.call(&quote!(must_end), stop, value) }
        }
    }
}

/// Complains about the heads that `kind` does not know but somebody may have meant.
pub(crate) fn misnamed(call: &ExprCall, kind: Kind, errors: &mut Errors) {
    let Some(ident) = head(call) else { return };
    let name = ident.to_string();
    if kind.heads().contains(&name.as_str()) {
        return;
    }
    let key = kind.key();
    if let Some(meant) = kind.meant(&name) {
        return errors.at(ident, format!("`{name}` is not known to `{key}`; write `{meant}`"));
    }
    match key_of(&name) {
        Some("on") => errors.at(
            ident,
            format!("`{name}` is a condition and belongs to `on`, not to `{key}`"),
        ),
        Some(other) => errors.at(
            ident,
            format!("`{name}` is a {other} strategy; write `{other} = {name}(…)`, and for `{key}` one of {}", list(kind.heads().iter().copied())),
        ),
        None => {
            if let Some(similar) = similar(&name, kind.heads().iter().copied()) {
                errors.at(
                    ident,
                    format!("no {key} strategy is called `{name}`; did you mean `{similar}`? (a function of your own is written with a path: `self::{name}(…)`)"),
                );
            }
        }
    }
}

/// Whether the expression is a place, which must be borrowed lest it be moved out of.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
        _ => false,
    }
}

fn nothing() -> Expr {
    Expr::Verbatim(TokenStream::new())
}
