//! What can be seen to be wrong with the limits in time of a call, and with its guards.

use syn::{Expr, Lit};

use super::arguments;
use crate::diagnose::Errors;
use crate::emit::hooks::is_closure;
use crate::read::duration::{bare, of_expr};
use crate::read::held::Timeout;
use crate::read::keys::Args;
use crate::read::strategy::{first_delay_at_least, fits};

/// Checks the limits and guards, by themselves and together.
pub(super) fn check(args: &Args, errors: &mut Errors) {
    let deadline = args.deadline.as_ref();
    if let Some(deadline) = deadline {
        arguments::duration(deadline, "deadline", errors);
        not_a_text(deadline, "deadline", "20s", errors);
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
    if let Some(timeout) = &args.attempt_timeout {
        attempt_timeout(timeout, args, errors);
    }
    if let Some(cancel) = &args.cancel {
        if let Expr::Lit(_) = bare(cancel) {
            errors.at(cancel, "`cancel` takes what says that the call is cancelled: a future (`cancel = token.cancelled()`), a flag (`cancel = &FLAG`) or a closure (`cancel = || …`)");
        }
    }
    for (key, guard, name) in
        [("budget", &args.budget, "BUDGET"), ("breaker", &args.breaker, "BREAKER")]
    {
        let Some(guard) = guard else { continue };
        if matches!(bare(guard), Expr::Lit(_)) || is_closure(guard) {
            errors.at(
                guard,
                format!("`{key}` takes a reference to what the calls to one dependency share: write `{key} = &{name}`, with a `static {name}`"),
            );
        }
    }
    if let (Some(interrupted), false) = (&args.interrupted, may_be_interrupted(args)) {
        errors.at(
            interrupted,
            "nothing can interrupt this call; `interrupted` goes with `deadline`, `attempt_timeout`, `cancel` or `breaker`",
        );
    }
}

/// Checks that a sync function or block, where nothing can be cut, is not told to cut.
pub(crate) fn can_cut(args: &Args, errors: &mut Errors) {
    if let Some(Timeout::After(timeout) | Timeout::Idle(timeout)) = &args.attempt_timeout {
        errors.at(
            timeout,
            "a sync attempt cannot be cut, so `attempt_timeout` cannot hold; give the time-out to what the body calls, or make the function `async`",
        );
    }
}

fn may_be_interrupted(args: &Args) -> bool {
    args.deadline.is_some()
        || args.attempt_timeout.is_some()
        || args.cancel.is_some()
        || args.breaker.is_some()
}

fn attempt_timeout(timeout: &Timeout, args: &Args, errors: &mut Errors) {
    let (Timeout::After(most) | Timeout::Idle(most)) = timeout;
    arguments::duration(most, "attempt_timeout", errors);
    not_a_text(most, "attempt_timeout", "2s", errors);
    if is_zero(most) {
        errors.at(most, "an `attempt_timeout` of zero leaves no time for an attempt; write how long one may take: `attempt_timeout = 2s`");
    }
    if args.idempotent.is_none() && !args.has_tried("idempotent") && args.policy.is_none() {
        errors.at(
            most,
            "an attempt that is cut may have taken effect; add the flag `idempotent` if repeating it is harmless, or put the time-out into the body, whose error says what it means",
        );
    }
    let deadline = args.deadline.as_ref().and_then(of_expr);
    if let (Some(time), Some(deadline), Timeout::After(_)) = (of_expr(most), deadline, timeout) {
        if time >= deadline {
            errors.at(
                most,
                format!("the deadline of {deadline:?} comes before an attempt has taken {time:?}; write a shorter `attempt_timeout`, or leave it out"),
            );
        }
    }
}

fn is_zero(expr: &Expr) -> bool {
    of_expr(expr).is_some_and(|time| time.is_zero())
}

fn not_a_text(expr: &Expr, key: &str, instead: &str, errors: &mut Errors) {
    if matches!(bare(expr), Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_) | Lit::Bool(_)))
    {
        errors.at(expr, format!("`{key}` takes a duration: write `{key} = {instead}`"));
    }
}
