//! The words of `stop`, `wait` and `on`.

use syn::{Expr, ExprCall, Ident};

use crate::read::duration::bare;

/// Which of the two kinds of strategy an expression must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
/// Those of both that may ask for the time.
const TIMED: [&str; 5] = ["within", "elapsed", "until", "when", "by"];
/// What `on` knows.
pub(crate) const CONDITIONS: [&str; 9] =
    ["error", "ok", "output", "any_error", "matches", "is", "source_is", "transient", "marked"];
/// Methods that make a strategy of a strategy.
pub(crate) const SHAPERS: [&str; 13] = [
    "cap",
    "floor",
    "full_jitter",
    "equal_jitter",
    "jitter",
    "jitter_factor",
    "max",
    "min",
    "throttled",
    "unless_hinted",
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

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Stop => Self::Wait,
            Self::Wait => Self::Stop,
        }
    }

    /// The strategies of this kind.
    pub(crate) const fn heads(self) -> &'static [&'static str] {
        match self {
            Self::Stop => &STOPS,
            Self::Wait => &WAITS,
        }
    }

    /// The strategy of this kind with that name.
    pub(crate) fn known(self, name: &Ident) -> Option<&'static str> {
        self.heads().iter().find(|head| name == *head).copied()
    }
}

/// The name of a call `name(…)`, if nothing stands before it.
pub(crate) fn head(call: &ExprCall) -> Option<&Ident> {
    match bare(&call.func) {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// Whether a known stop, wait or condition has this name, and which key it belongs to.
pub(crate) fn key_of(name: &str) -> Option<&'static str> {
    let keys = [("stop", &STOPS[..]), ("wait", &WAITS[..]), ("on", &CONDITIONS[..])];
    keys.into_iter().find(|(_, names)| names.contains(&name)).map(|(key, _)| key)
}

/// Whether the method makes a strategy of a strategy.
pub(super) fn is_shaper(method: &Ident) -> bool {
    SHAPERS.iter().any(|name| method == name)
}

/// Whether the method's argument is a strategy.
pub(super) fn is_combinator(method: &Ident) -> bool {
    COMBINATORS.iter().any(|name| method == name)
}

/// Whether the known strategy may ask for the time.
pub(super) fn asks_for_time(head: &str) -> bool {
    TIMED.contains(&head)
}
