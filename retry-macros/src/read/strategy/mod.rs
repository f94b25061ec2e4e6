//! `stop` and `wait` as trees, which are read once from what was typed.
//!
//! Only what stands where a strategy can stand is understood: the calls of the known names, the
//! operators, shapers, closures, places, and what `if`, `match` and blocks may turn out to be.
//! Whatever else stands there is the user's own; so is a path with more than one segment.

mod values;
mod words;

use core::time::Duration;

use proc_macro2::TokenStream;
use syn::{BinOp, Block, Expr, ExprCall, ExprMethodCall, Stmt};

use crate::read::duration::of_expr;
use crate::read::held::Holds;

pub(crate) use values::{allowed, first_delay_at_least, fits, longest_waits, stop_value};
pub(crate) use words::{CONDITIONS, Kind, SHAPERS, head, key_of};

/// What stands where a strategy can stand.
pub(crate) struct Strategy {
    pub(crate) kind: Kind,
    /// As it was typed, for messages and the documentation.
    pub(crate) typed: Expr,
    /// As it is understood.
    pub(crate) form: Form,
    /// What the literals of a whole `stop` allow; see [`allowed`].
    pub(crate) allows: (Option<u32>, Option<Duration>, Option<Duration>),
}

pub(crate) enum Form {
    /// `attempts(5)`: a known name, and the call of it.
    Known(&'static str, ExprCall),
    /// `a | b`, with whatever operator.
    Joined(BinOp, Box<[Strategy; 2]>),
    /// `a.cap(10s)`, `a.max(b)`: the strategy, the call without it, and the strategies that have
    /// been its arguments.
    Shaped(Box<Strategy>, ExprMethodCall, Vec<Strategy>),
    /// `|state| …`
    Closure(Expr),
    /// An `if`, `match` or block, with a hole for each of the strategies it may turn out to be.
    Branches(Expr, Vec<Strategy>),
    /// What must be borrowed lest it be moved out of.
    Place(Expr),
    /// Anything else.
    Other(Expr),
}

impl Strategy {
    pub(crate) fn read(kind: Kind, typed: Expr) -> Self {
        let form = Form::read(kind, typed.clone());
        Self { kind, typed, form, allows: (None, None, None) }
    }

    /// Calls `f` on this strategy and all those in it.
    pub(crate) fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Self)) {
        f(self);
        match &self.form {
            Form::Joined(_, sides) => sides.iter().for_each(|side| side.walk(f)),
            Form::Shaped(inner, _, others) => {
                inner.walk(f);
                for other in others {
                    other.walk(f);
                }
            }
            Form::Branches(_, tails) => tails.iter().for_each(|tail| tail.walk(f)),
            Form::Known(..) | Form::Closure(_) | Form::Place(_) | Form::Other(_) => {}
        }
    }

    /// Calls `f` on those that `|` joins, which each by itself can end a call.
    pub(crate) fn each_alternative<'a>(&'a self, f: &mut dyn FnMut(&'a Self)) {
        match &self.form {
            Form::Joined(BinOp::BitOr(_), sides) => {
                sides.iter().for_each(|side| side.each_alternative(f));
            }
            _ => f(self),
        }
    }

    /// Whether it may ask for the time: all may that are not known not to.
    pub(crate) fn is_timed(&self) -> bool {
        match &self.form {
            Form::Known(name, _) => words::asks_for_time(name),
            Form::Joined(_, sides) => sides.iter().any(Self::is_timed),
            Form::Shaped(inner, _, others) => inner.is_timed() || others.iter().any(Self::is_timed),
            // `self.max.map(attempts)`
            Form::Other(Expr::MethodCall(call)) if call.method == "map" => {
                !matches!(call.args.first(), Some(Expr::Path(path)) if path.path.is_ident("attempts"))
            }
            Form::Closure(_) | Form::Branches(..) | Form::Place(_) | Form::Other(_) => true,
        }
    }

    /// Whether it is a closure as a whole.
    pub(crate) fn is_closure(&self) -> bool {
        matches!(self.form, Form::Closure(_))
    }

    /// The argument of the call, if it is one of this known strategy.
    pub(crate) fn argument_of(&self, head: &str) -> Option<&Expr> {
        match &self.form {
            Form::Known(name, call) if *name == head => call.args.first(),
            _ => None,
        }
    }
}

impl Form {
    fn read(kind: Kind, expr: Expr) -> Self {
        match expr {
            // Parentheses that are not needed around a call are dropped.
            Expr::Paren(paren) if !is_branch(&paren.expr) => Self::read(kind, *paren.expr),
            Expr::Group(group) => Self::read(kind, *group.expr),
            Expr::Paren(_) | Expr::If(_) | Expr::Match(_) | Expr::Block(_) => {
                Self::branches(kind, expr)
            }
            Expr::Binary(binary) => Self::Joined(
                binary.op,
                Box::new([*binary.left, *binary.right].map(|side| Strategy::read(kind, side))),
            ),
            Expr::MethodCall(call) if kind == Kind::Wait && words::is_shaper(&call.method) => {
                Self::shaped(call)
            }
            Expr::Call(call) => match head(&call).and_then(|head| kind.known(head)) {
                Some(name) => Self::Known(name, call),
                None => Self::Other(Expr::Call(call)),
            },
            Expr::Closure(_) => Self::Closure(expr),
            expr if is_place(&expr) => Self::Place(expr),
            expr => Self::Other(expr),
        }
    }

    fn branches(kind: Kind, mut expr: Expr) -> Self {
        let mut found = Vec::new();
        tails(&mut expr, &mut |tail| {
            let tail = std::mem::replace(tail, Expr::Verbatim(TokenStream::new()));
            found.push(Strategy::read(kind, tail));
        });
        Self::Branches(expr, found)
    }

    fn shaped(mut call: ExprMethodCall) -> Self {
        let hole = Expr::Verbatim(TokenStream::new());
        let inner = Strategy::read(Kind::Wait, std::mem::replace(&mut *call.receiver, hole));
        let args = std::mem::take(&mut call.args);
        let mut others = Vec::new();
        for arg in args {
            // Where a duration stands in place of a strategy, that has a message of its own.
            if words::is_combinator(&call.method) && of_expr(&arg).is_none() {
                others.push(Strategy::read(Kind::Wait, arg));
            } else {
                call.args.push(arg);
            }
        }
        Self::Shaped(Box::new(inner), call, others)
    }
}

/// Whether the expression decides between others.
fn is_branch(expr: &Expr) -> bool {
    matches!(expr, Expr::If(_) | Expr::Match(_) | Expr::Block(_))
}

/// Whether the expression is a place.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
        _ => false,
    }
}

/// Calls `f` on each of what a deciding expression may turn out to be, always in the same order.
pub(crate) fn tails(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    fn last(block: &mut Block, f: &mut dyn FnMut(&mut Expr)) {
        if let Some(Stmt::Expr(expr, None)) = block.stmts.last_mut() {
            f(expr);
        }
    }
    match expr {
        Expr::Paren(paren) => tails(&mut paren.expr, f),
        Expr::If(branch) => {
            last(&mut branch.then_branch, f);
            if let Some((_, other)) = &mut branch.else_branch {
                f(other);
            }
        }
        Expr::Match(matched) => matched.arms.iter_mut().for_each(|arm| f(&mut arm.body)),
        Expr::Block(block) => last(&mut block.block, f),
        _ => {}
    }
}

/// The strategy's expressions are all those in it that are no strategies themselves.
macro_rules! each_expr {
    ($each:ident $(, $mut:tt)?) => {
        fn $each<'a>(&'a $($mut)? self, f: &mut dyn FnMut(&'a $($mut)? Expr)) {
            match & $($mut)? self.form {
                Form::Known(_, call) => {
                    for arg in & $($mut)? call.args {
                        f(arg);
                    }
                }
                Form::Joined(_, sides) => {
                    for side in & $($mut)? **sides {
                        side.$each(f);
                    }
                }
                Form::Shaped(inner, call, others) => {
                    inner.$each(f);
                    for arg in & $($mut)? call.args {
                        f(arg);
                    }
                    for other in others {
                        other.$each(f);
                    }
                }
                Form::Branches(expr, tails) => {
                    f(expr);
                    for tail in tails {
                        tail.$each(f);
                    }
                }
                Form::Closure(expr) | Form::Place(expr) | Form::Other(expr) => f(expr),
            }
        }
    };
}

impl Holds for Strategy {
    each_expr!(each_expr);
    each_expr!(each_expr_mut, mut);
}
