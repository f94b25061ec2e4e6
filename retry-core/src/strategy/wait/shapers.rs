//! The shapers: what a cap, a floor and the jitters do to a wait strategy.

use core::time::Duration;

use crate::strategy::delay::{Delay, scale};
use crate::strategy::state::State;
use crate::strategy::wait::Wait;

macro_rules! shapers {
    ($(
        $(#[$doc:meta])*
        $shaper:ident($($field:ident: $type:ty)?) => |$delay:ident, $state:ident| $shaped:expr;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[must_use]
        pub struct $shaper<W> {
            wait: W,
            $($field: $type,)?
        }

        impl<W> $shaper<W> {
            pub(crate) const fn new(wait: W $(, $field: $type)?) -> Self {
                Self { wait $(, $field)? }
            }
        }

        impl<W: Wait> Wait for $shaper<W> {
            fn delay(&self, $state: &State) -> Delay {
                let Self { wait $(, $field)? } = self;
                let $delay = wait.delay($state);
                $shaped
            }

            fn least(&self, $state: &State) -> Delay {
                let Self { wait $(, $field)? } = self;
                let $delay = wait.least($state);
                $shaped
            }
        }
    )*};
}

shapers! {
    /// See [`Wait::cap`].
    Cap(cap: Duration) => |delay, state| delay.capped(*cap);
    /// See [`Wait::floor`].
    Floor(floor: Duration) => |delay, state| delay.floored(*floor);
    /// See [`Wait::full_jitter`].
    FullJitter() => |delay, state| delay.shrink(state.random_spread());
    /// See [`Wait::equal_jitter`].
    EqualJitter() => |delay, state| delay.shrink(f64::midpoint(1.0, state.random_spread()));
    /// See [`Wait::jitter`].
    Jitter(width: Duration) => |delay, state| delay.add_extra(scale(*width, state.random()));
    /// See [`Wait::jitter_factor`].
    JitterFactor(factor: f64) => |delay, state| {
        // `max` turns the NaN that `clamp` lets through into 0. Like all jitters it waits longer
        // for a greater number, which a preview stands on.
        delay.shrink(1.0 - factor.clamp(0.0, 1.0).max(0.0) * (1.0 - state.random_spread()))
    };
}
