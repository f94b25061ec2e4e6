//! What the documentation of an annotated function says about its retries.

mod append;
mod phrases;
mod source;
#[cfg(test)]
mod tests;

use core::time::Duration;

use retry_core::State;
use retry_core::stop::Stop;

pub(crate) use append::append;

use crate::read::condition::Condition;
use crate::read::duration::of_expr;
use crate::read::held::{Idempotent, Nested, Timeout};
use crate::read::keys::Args;
use crate::read::strategy::{Strategy, longest_waits, stop_value};
use phrases::{amount, human, stops, waits, whole};
use source::code;

/// The paragraph, read from the keys as they were typed: when the function is retried, and where
/// the numbers are literal, how long it waits in the worst case, or takes where its attempts can be
/// `cut` off.
pub(crate) fn paragraph(args: &Args, cut: bool) -> String {
    let mut parts = Vec::new();
    parts.extend(args.forever.map(|()| match args.stop {
        None => "without a limit".to_owned(),
        Some(_) => "without a sure limit".to_owned(),
    }));
    parts.extend(args.stop.as_ref().map(stops));
    parts.extend(args.wait.as_ref().map(waits));
    parts.extend(args.policy.as_ref().map(|policy| match whole(policy) {
        Some(code) => format!("by {code}"),
        None => "by a configured policy".to_owned(),
    }));
    parts.extend(match (args.on.as_ref().map(|on| (&**on, &on.typed)), &args.policy) {
        (Some((Condition::AnyError(_), _)), _) => Some("on any error".to_owned()),
        (Some((Condition::Marked(_), _)), _) => {
            Some("on errors that it marks as transient".to_owned())
        }
        (Some((Condition::Transient(_), _)), _) | (None, None) => {
            Some("on transient errors".to_owned())
        }
        (Some((_, typed)), _) => Some(match code(typed) {
            Some(code) => format!("on {code}"),
            None => "on some failures".to_owned(),
        }),
        (None, Some(_)) => None,
    });
    parts.extend(args.idempotent.as_ref().map(|idempotent| match idempotent {
        Idempotent::Always => "ambiguous failures too".to_owned(),
        Idempotent::If(expr) => match code(expr) {
            Some(code) => format!("ambiguous failures too if {code}"),
            None => "ambiguous failures too if configured".to_owned(),
        },
    }));
    parts.extend(args.attempt_timeout.as_ref().map(timeout));
    parts.extend(args.deadline.as_ref().map(|deadline| format!("deadline {}", amount(deadline))));
    let guards = [
        ("cancelled by", "can be cancelled", &args.cancel),
        ("budget", "with a budget", &args.budget),
        ("breaker", "with a breaker", &args.breaker),
    ];
    parts.extend(guards.into_iter().filter_map(|(what, unknown, guard)| {
        let code = guard.as_ref().map(code)?;
        Some(code.map_or_else(|| unknown.to_owned(), |code| format!("{what} {code}")))
    }));
    parts.extend(args.nested.as_ref().and_then(|nested| match nested {
        Nested::Once => Some("one attempt inside another retried call".to_owned()),
        Nested::Multiply => None,
    }));
    let enabled = args.enabled.as_ref().map(|expr| match code(expr) {
        Some(code) => format!(" if {code}"),
        None => " if enabled".to_owned(),
    });
    parts.extend(args.reset.as_ref().map(|_| "anew after a healthy attempt".to_owned()));
    let deadline = args.deadline.as_ref().and_then(of_expr);
    let both = args.stop.as_ref().zip(args.wait.as_ref()).filter(|_| args.reset.is_none());
    let worst = worst(both, deadline, cut);
    format!("Retried{}: {}.{worst}", enabled.unwrap_or_default(), parts.join("; "))
}

/// A century says no more than that nothing bounds it in practice.
const CENTURY: Duration = Duration::from_secs(100 * 365 * 86_400);

/// The worst case, in sentences: what all waits of a call add up to, and where attempts can be `cut`
/// off at a deadline, how long the whole takes.
fn worst(both: Option<(&Strategy, &Strategy)>, deadline: Option<Duration>, cut: bool) -> String {
    let whole = deadline.filter(|_| cut);
    let waits = waited(both, deadline).and_then(|waited| match (waited, whole) {
        (Waited::UpTo(most), _) => {
            Some(format!(" Its own waits come to at most {}.", human(ceil(most))))
        }
        (Waited::Below(limit), Some(whole)) if limit >= whole => None,
        (Waited::Below(limit), _) => Some(format!(" It waits less than {} in all.", human(limit))),
    });
    let whole = whole.map(|whole| format!(" The whole call takes at most {}.", human(whole)));
    waits.into_iter().chain(whole).collect()
}

enum Waited {
    /// Waits that the other side asks for come on top.
    UpTo(Duration),
    /// Those included: a wait that would end at the limit is not begun.
    Below(Duration),
}

/// What bounds all waits of a call together.
fn waited(both: Option<(&Strategy, &Strategy)>, deadline: Option<Duration>) -> Option<Waited> {
    let stop = both.and_then(|(stop, _)| stop_value(stop));
    let limit = stop.as_ref().and_then(|stop| stop.limits(&State::new(1)).remaining);
    let limit = limit.into_iter().chain(deadline).min();
    let most = stop.zip(both).and_then(|(stop, (_, wait))| longest_waits(stop, wait));
    match (most.filter(|most| *most < CENTURY), limit) {
        (Some(Duration::ZERO), _) => None,
        (Some(most), limit) if limit.is_none_or(|limit| most < limit) => Some(Waited::UpTo(most)),
        (_, limit) => limit.map(Waited::Below),
    }
}

/// When an attempt is cut off.
fn timeout(timeout: &Timeout) -> String {
    match timeout {
        Timeout::After(most) => format!("each attempt cut off after {}", amount(most)),
        Timeout::Idle(most) => {
            format!("each attempt cut off after {} without progress", amount(most))
        }
    }
}

/// Rounded up to what is worth reading.
fn ceil(time: Duration) -> Duration {
    let step = match time.as_nanos() {
        0..1_000_000 => 1,
        1_000_000..1_000_000_000 => 1_000,
        _ => 1_000_000,
    };
    let rest = time.subsec_nanos() % step;
    if rest == 0 { time } else { time.saturating_add(Duration::from_nanos((step - rest).into())) }
}
