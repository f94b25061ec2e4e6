//! What can be seen to be wrong with the limits in time of a call, and with its guards.

use syn::{Error, Expr};

use super::arguments;
use crate::diagnose::Errors;
use crate::emit::hooks::{arity, async_token, is_closure};
use crate::read::duration::{bare, of_expr};
use crate::read::held::Timeout;
use crate::read::keys::Args;
use crate::read::number::number;
use crate::read::source::text;
use crate::read::strategy::{first_delay_at_least, fits, head, key_of};

/// Checks the limits and guards, by themselves and together.
pub(super) fn check(args: &Args, errors: &mut Errors) {
    if let Some(deadline) = &args.deadline {
        self::deadline(deadline, args, errors);
    }
    if let Some(timeout) = &args.attempt_timeout {
        attempt_timeout(timeout, args, errors);
    }
    if let Some(cancel) = &args.cancel {
        self::cancel(cancel, errors);
    }
    for (key, guard, name) in
        [("budget", &args.budget, "Budget"), ("breaker", &args.breaker, "Breaker")]
    {
        if let Some(guard) = guard {
            self::guard(key, name, guard, errors);
        }
    }
}

/// Checks that nothing is told to cut an attempt, or to say what becomes of it, where that does not
/// happen.
pub(crate) fn can_cut(args: &Args, is_async: bool, errors: &mut Errors) {
    if let Some(Timeout::After(timeout) | Timeout::Idle(timeout)) = &args.attempt_timeout {
        if !is_async {
            errors.at(
                timeout,
                "a sync attempt cannot be cut, so `attempt_timeout` cannot hold; give the time-out to what the body calls, or make the function `async`",
            );
        } else if args.idempotent.is_none()
            && !args.has_tried("idempotent")
            && args.policy.is_none()
        {
            errors.at(
                timeout,
                "an attempt that is cut may have taken effect; add the flag `idempotent` if repeating it is harmless, or put the time-out into the body, whose error says what it means",
            );
        }
    }
    let Some(interrupted) = &args.interrupted else { return };
    if let (Some(span), true) = (async_token(interrupted), is_async) {
        errors.push(Error::new(
            span,
            "`interrupted` makes an error on the spot and awaits nothing; remove `async`",
        ));
    }
    let any = |keys: &[&str]| keys.iter().any(|key| args.has_tried(key));
    if any(&["cancel", "breaker", "attempt_timeout", "policy"]) || (is_async && any(&["deadline"]))
    {
        return;
    }
    errors.at(
        interrupted,
        if args.deadline.is_some() {
            "a sync attempt is not cut by its deadline, and the call always returns an outcome of its own; remove `interrupted`"
        } else {
            "nothing can interrupt this call; `interrupted` goes with `deadline`, `attempt_timeout`, `cancel` or `breaker`"
        },
    );
}

fn deadline(deadline: &Expr, args: &Args, errors: &mut Errors) {
    if let Some(named) = strategy(deadline) {
        return errors.at(
            deadline,
            format!("`deadline` takes the time itself, not `{named}`: write `deadline = 20s`, or the `Instant` at which the call must be over"),
        );
    }
    arguments::duration(deadline, "deadline", errors);
    if is_zero(deadline) {
        errors.at(deadline, "a `deadline` of zero leaves no time for an attempt; write how long the whole call may take: `deadline = 20s`");
    } else if let (Some(wait), Some(time)) = (&args.wait, of_expr(deadline)) {
        if !fits(time, wait) {
            let least = first_delay_at_least(wait);
            errors.at(
                deadline,
                format!("nothing is ever retried before a deadline of {time:?}: the first delay is at least {least:?}"),
            );
        }
    }
}

fn attempt_timeout(timeout: &Timeout, args: &Args, errors: &mut Errors) {
    let (Timeout::After(most) | Timeout::Idle(most)) = timeout;
    if matches!(bare(most), Expr::Path(path) if path.path.is_ident("idle")) {
        return errors.at(most, "`idle` takes one duration: write `attempt_timeout = idle(30s)`");
    }
    if let Some(named) = strategy(most) {
        return errors.at(
            most,
            format!("`attempt_timeout` takes the time itself, not `{named}`: write `attempt_timeout = 2s`, or `attempt_timeout = idle(30s)`"),
        );
    }
    arguments::duration(most, "attempt_timeout", errors);
    if is_zero(most) {
        errors.at(most, "an `attempt_timeout` of zero leaves no time for an attempt; write how long one may take: `attempt_timeout = 2s`");
    }
    let Some(time) = of_expr(most) else { return };
    let deadline = args.deadline.as_ref().and_then(of_expr);
    if let (Some(deadline), Timeout::After(_)) = (deadline.filter(|it| time >= *it), timeout) {
        errors.at(
            most,
            format!("the deadline of {deadline:?} comes before an attempt has taken {time:?}; write a shorter `attempt_timeout`, or leave it out"),
        );
    }
    let Some(reset) = &args.reset else { return };
    if let Some(healthy) = of_expr(reset).filter(|it| !it.is_zero() && time >= *it) {
        errors.at(
            reset,
            format!("an attempt that hangs until it is cut after {time:?} would count as healthy after {healthy:?}, so that the attempts never run out; write a longer `reset`, or a closure that knows better: `reset = |attempt, outcome| …`"),
        );
    }
}

fn cancel(cancel: &Expr, errors: &mut Errors) {
    match bare(cancel) {
        Expr::Lit(_) | Expr::Array(_) | Expr::Tuple(_) | Expr::Range(_) => errors.at(
            cancel,
            "`cancel` takes what says that the call is cancelled: a future (`cancel = token.cancelled()`), a flag (`cancel = &FLAG`) or a closure (`cancel = || …`)",
        ),
        Expr::Closure(closure) if closure.asyncness.is_some() => errors.at(
            cancel,
            "`cancel` takes a future as it is, not a closure that makes one: write `cancel = async { … }`",
        ),
        Expr::Closure(closure) if arity(cancel) != Some(0) => errors.at(
            &closure.inputs,
            "the closure of `cancel` is given nothing: write `cancel = || …`",
        ),
        _ => {}
    }
}

/// A guard is shared by all calls, so it stands in no call.
fn guard(key: &str, name: &str, guard: &Expr, errors: &mut Errors) {
    let variable = name.to_uppercase();
    let shared = format!("write `{key} = &{variable}`");
    if let Some(made) = made(guard, name) {
        let made = if is_sensible(made) {
            text(&made)
        } else {
            ["Budget::new(160)", "Breaker::consecutive(5)"][usize::from(name == "Breaker")]
                .to_owned()
        };
        return errors.at(
            guard,
            format!("a {key} that is made here would be a new one for each call; {shared}, with `static {variable}: {name} = {made};`"),
        );
    }
    if matches!(bare(guard), Expr::Lit(_) | Expr::Array(_) | Expr::Tuple(_)) || is_closure(guard) {
        errors.at(
            guard,
            format!("`{key}` takes a reference to what the calls to one dependency share: {shared}, with a `static {variable}`"),
        );
    }
}

/// Whether what makes a guard may be recommended: its number, where it is a literal, lets something
/// through.
fn is_sensible(made: &Expr) -> bool {
    match bare(made) {
        Expr::MethodCall(call) => is_sensible(&call.receiver),
        Expr::Call(call) => {
            let most = if head_is(&call.func, "ratio") { 1.0 } else { f64::MAX };
            let given = call.args.first().and_then(number);
            given.is_none_or(|given| given > 0.0 && given <= most)
        }
        _ => true,
    }
}

/// Whether a path ends so.
fn head_is(path: &Expr, name: &str) -> bool {
    matches!(bare(path), Expr::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == name))
}

/// What makes a value of the type of this name, as `Budget::new(100).cost(5)` does.
fn made<'a>(expr: &'a Expr, name: &str) -> Option<&'a Expr> {
    let expr = bare(expr);
    let makes = |expr: &Expr| match expr {
        Expr::Path(path) => {
            path.path.segments.iter().rev().nth(1).is_some_and(|it| it.ident == name)
        }
        _ => false,
    };
    match expr {
        Expr::Reference(reference) => made(&reference.expr, name),
        Expr::Call(call) => makes(bare(&call.func)).then_some(expr),
        Expr::MethodCall(call) => made(&call.receiver, name).map(|_| expr),
        _ => None,
    }
}

/// The name of the strategy whose call it is.
fn strategy(expr: &Expr) -> Option<String> {
    let Expr::Call(call) = bare(expr) else { return None };
    head(call).map(ToString::to_string).filter(|name| key_of(name).is_some())
}

fn is_zero(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Call(call) if matches!(bare(&call.func), Expr::Path(path) if path.path.is_ident("Some")) => {
            call.args.first().is_some_and(is_zero)
        }
        expr => of_expr(expr).is_some_and(|time| time.is_zero()),
    }
}
