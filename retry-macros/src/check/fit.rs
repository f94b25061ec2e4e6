//! Whether a retry can happen at all.

use crate::diagnose::Errors;
use crate::read::duration::of_expr;
use crate::read::strategy::{Strategy, first_delay_at_least, fits};

/// A time limit that not even the shortest first delay fits into leaves no room for a retry.
pub(super) fn first_delay(stop: &Strategy, wait: &Strategy, errors: &mut Errors) {
    stop.each_alternative(&mut |stop| {
        let Some(limit) = stop.argument_of("within") else { return };
        // A limit of zero has its own message.
        let Some(time) = of_expr(limit).filter(|time| !time.is_zero()) else { return };
        if !fits(time, wait) {
            let least = first_delay_at_least(wait);
            errors.at(
                limit,
                format!(
                    "nothing is ever retried within {time:?}: the first delay is at least {least:?}"
                ),
            );
        }
    });
}
