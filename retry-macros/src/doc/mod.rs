//! What the documentation of an annotated function says about its retries.

mod append;
mod phrases;
pub(crate) mod source;
#[cfg(test)]
mod tests;

use core::time::Duration;

use retry_core::State;
use retry_core::stop::Stop;

pub(crate) use append::append;

use crate::read::condition::Condition;
use crate::read::held::Idempotent;
use crate::read::keys::Args;
use crate::read::strategy::{Strategy, longest_waits, stop_value};
use phrases::{human, stops, waits};
use source::{code, in_backticks, text};

/// The paragraph, read from the keys as they were typed: when the function is retried, and where
/// the numbers are literal, how long it waits in the worst case.
pub(crate) fn paragraph(args: &Args) -> String {
    let mut parts = Vec::new();
    parts.extend(args.forever.map(|()| match args.stop {
        None => "without a limit".to_owned(),
        Some(_) => "without a sure limit".to_owned(),
    }));
    parts.extend(args.stop.as_ref().map(stops));
    parts.extend(args.wait.as_ref().map(waits));
    parts.extend(args.policy.as_ref().map(|policy| format!("by {}", code(policy))));
    parts.extend(match (args.on.as_ref().map(|on| (&**on, &on.typed)), &args.policy) {
        (Some((Condition::AnyError(_), _)), _) => Some("on any error".to_owned()),
        (Some((Condition::Transient(_), _)), _) | (None, None) => {
            Some("on transient errors".to_owned())
        }
        (Some((_, typed)), _) => Some(format!("on {}", in_backticks(&text(typed)))),
        (None, Some(_)) => None,
    });
    parts.extend(args.idempotent.as_ref().map(|idempotent| match idempotent {
        Idempotent::Always => "ambiguous failures too".to_owned(),
        Idempotent::If(expr) => format!("ambiguous failures too if {}", code(expr)),
    }));
    let enabled = args.enabled.as_ref().map(|expr| format!(" if {}", code(expr)));
    parts.extend(args.reset.as_ref().map(|_| "anew after a healthy attempt".to_owned()));
    let both = args.stop.as_ref().zip(args.wait.as_ref()).filter(|_| args.reset.is_none());
    let worst = both.and_then(|(stop, wait)| worst(stop, wait)).unwrap_or_default();
    format!("Retried{}: {}.{worst}", enabled.unwrap_or_default(), parts.join("; "))
}

/// A century says no more than that nothing bounds it in practice.
const CENTURY: Duration = Duration::from_secs(100 * 365 * 86_400);

/// What all waits of a call add up to in the worst case. Waits that the other side asks for come
/// on top of a number of attempts, not of a time.
fn worst(stop: &Strategy, wait: &Strategy) -> Option<String> {
    let stop = stop_value(stop)?;
    let limit = stop.limits(&State::new(1)).remaining;
    match (longest_waits(stop, wait).filter(|most| *most < CENTURY), limit) {
        (Some(Duration::ZERO), _) | (None, None) => None,
        (Some(most), limit) if limit.is_none_or(|limit| most < limit) => {
            Some(format!(" Its own waits come to at most {}.", human(ceil(most))))
        }
        // A wait that would end at the limit is not begun.
        (_, limit) => limit.map(|limit| format!(" It waits less than {} in all.", human(limit))),
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
