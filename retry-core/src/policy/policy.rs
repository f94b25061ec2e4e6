//! The three kinds of strategy together, as a value.

use core::fmt;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use crate::engine::rules::{MaxHint, Rules};
use crate::policy::limiting::{Limiting, Uncut};
use crate::stats::counters::Counters;
use crate::stats::site::Site;
use crate::strategy::boxed::Boxed;
use crate::strategy::on::{ByTransient, OnError};
use crate::strategy::stop::{Bounded, MustEnd, Stop};
use crate::strategy::wait::Wait;

/// What can serve as a policy: a [`Policy`], and whatever points to one, such as a reference, an
/// `Arc` or a `LazyLock`. No other type can be one.
///
/// What guards its calls is a type of it, too: `impl AsPolicy<Limits = Limited>` for a policy that may
/// cut or refuse them, see [`Limited`](crate::Limited).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a policy",
    label = "neither a policy nor a pointer to one",
    note = "make one with `retry::policy! {{ stop = …, wait = …, on = … }}`"
)]
pub trait AsPolicy: SealedPolicy {
    /// When to give up.
    type Stop: Stop;
    /// How long to wait.
    type Wait: Wait;
    /// What is worth another attempt.
    type On;

    /// When to give up.
    fn stop(&self) -> &Self::Stop;

    /// How long to wait.
    fn wait(&self) -> &Self::Wait;

    /// What is worth another attempt.
    fn on(&self) -> &Self::On;

    /// The longest wait that the other side may ask for.
    fn max_hint(&self) -> MaxHint {
        self.rules().max_hint
    }

    /// Whether repeating is harmless even if an attempt has taken effect.
    fn is_idempotent(&self) -> bool {
        self.rules().idempotent
    }

    /// What else it says of a failure.
    #[doc(hidden)]
    fn rules(&self) -> Rules {
        Rules::DEFAULT
    }

    /// What guards its calls.
    #[doc(hidden)]
    fn limits(&self) -> Self::Limits {
        self.limited_by()
    }

    /// What its calls are named after.
    #[doc(hidden)]
    fn site(&self) -> &'static Site {
        &UNNAMED
    }
}

/// What keeps [`AsPolicy`] to the types of this library: a policy will hold more one day than it
/// does now. The facade has such a type too.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made a policy",
    label = "only a `retry::Policy` and what points to one are",
    note = "hold a `retry::BoxedPolicy` in it and hand that out by reference, or make one with `retry::Policy::new(stop, wait, on)`"
)]
pub trait SealedPolicy {
    /// What guards its calls: `()` is nothing.
    type Limits: Limiting;

    /// That.
    fn limited_by(&self) -> Self::Limits;
}

impl<S, W, O, L: Limiting> SealedPolicy for Policy<S, W, O, L> {
    type Limits = L;

    fn limited_by(&self) -> L {
        self.limits
    }
}

/// What the calls of a policy without a name go by.
static UNNAMED: Site = Site::named("retry::Policy", &UNNAMED_COUNTERS);
static UNNAMED_COUNTERS: Counters = Counters::new();

/// When to give up, how long to wait and what is worth another attempt, as one value.
///
/// Most easily made with `policy!`, in the grammar of the attribute:
///
/// ```
/// use retry::policy;
///
/// let policy = policy! {
///     stop = attempts(5) | within(30s),
///     wait = exponential(100ms).cap(10s).full_jitter(),
///     on = is::<std::io::Error>(),
/// };
/// let answer = policy.call(|| std::io::Result::Ok(42));
/// # assert_eq!(answer.ok(), Some(42));
/// println!("{}", policy.preview());
/// ```
///
/// or from values, see [`new`](Self::new). Besides [`call`](Self::call) it serves an annotated
/// function, whose `policy = …` takes from it the `stop`, `wait` and `on` that the function does not
/// say itself. It does not change, and a call in progress leaves no
/// trace in it, so one policy may be shared by any number of calls. It is `Clone`, `Copy`,
/// `Debug`, `Send` and `Sync` where its parts are.
///
/// A function returns one as `Policy<impl Stop<Ends = stop::Bounded>, impl Wait>` (its third part
/// is [`ByTransient`] unless named). A struct's field or a static takes a [`BoxedPolicy`].
#[derive(Clone, Copy)]
#[must_use]
pub struct Policy<S, W, O = ByTransient, L = ()> {
    pub(super) stop: S,
    pub(super) wait: W,
    pub(super) on: O,
    pub(super) rules: Rules,
    pub(super) limits: L,
    pub(super) site: &'static Site,
}

impl<S: fmt::Debug, W: fmt::Debug, O: fmt::Debug, L: fmt::Debug> fmt::Debug for Policy<S, W, O, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Policy");
        shown
            .field("name", &self.site.name())
            .field("stop", &self.stop)
            .field("wait", &self.wait)
            .field("on", &self.on)
            .field("max_hint", &self.rules.max_hint)
            .field("idempotent", &self.rules.idempotent);
        if size_of::<L>() > 0 {
            shown.field("limits", &self.limits);
        }
        shown.finish()
    }
}

/// A policy whose type can be named: for a struct's field, a static, or a list.
///
/// It judges the error `E`, so it serves functions with any type of success. Clones share its
/// parts. `Ends` says whether it is sure to end every call, as for [`Stop::Ends`], and `L` what guards
/// its calls: `BoxedPolicy<E, stop::Bounded, Limited>` where it sets a `deadline`, an `attempt_timeout`
/// or a `breaker`, see [`Limited`](crate::Limited), and `Uncut` where it has no more than a `budget`.
///
/// ```
/// use retry::{BoxedPolicy, policy};
/// use std::io;
/// use std::sync::LazyLock;
///
/// static POLICY: LazyLock<BoxedPolicy<io::Error>> = LazyLock::new(|| {
///     policy! { stop = attempts(5), wait = exponential(100ms).full_jitter() }.boxed()
/// });
///
/// struct Store {
///     policy: BoxedPolicy<io::Error>,
/// }
///
/// let store = Store { policy: POLICY.clone() };
/// assert!(store.policy.call(|| io::Result::Ok(7_u8)).is_ok());
/// assert!(store.policy.call(|| io::Result::Ok("seven")).is_ok());
/// ```
pub type BoxedPolicy<E, Ends = Bounded, L = ()> = Policy<
    Boxed<dyn Stop<Ends = Ends> + Send + Sync>,
    Boxed<dyn Wait + Send + Sync>,
    Boxed<dyn OnError<E> + Send + Sync>,
    L,
>;

/// When to give up and how long to wait, with a type that can be named, and without a condition: what
/// a [`Schedule`](crate::Schedule) needs that is told verdicts
/// ([`failed_with`](crate::Schedule::failed_with)). Clones share its parts.
pub type Pace<Ends = Bounded> =
    Policy<Arc<dyn Stop<Ends = Ends> + Send + Sync>, Arc<dyn Wait + Send + Sync>, Unjudged, Uncut>;

/// In place of a condition: the outcome is judged elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unjudged;

impl<Ends> fmt::Debug for dyn Stop<Ends = Ends> + Send + Sync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop(..)")
    }
}

impl fmt::Debug for dyn Wait + Send + Sync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wait(..)")
    }
}

impl<S: Stop<Ends: MustEnd>, W: Wait, O> Policy<S, W, O> {
    /// A policy of three parts. The first must be sure to end every call; for one that is not,
    /// write `policy!` with the flag `forever`.
    ///
    /// ```
    /// use retry::{Policy, Wait, on, stop, wait};
    /// use std::time::Duration;
    ///
    /// let stop = stop::attempts(5) | stop::within(Duration::from_secs(30));
    /// let wait = wait::exponential(Duration::from_millis(100)).full_jitter();
    /// let policy = Policy::new(stop, wait, on::any_error());
    /// assert_eq!(policy.call(|| Some(1)), Some(1));
    /// ```
    ///
    /// [`on::error`](crate::on::error) makes a condition of a function.
    pub const fn new(stop: S, wait: W, on: O) -> Self {
        Self::at(&UNNAMED, stop, wait, on)
    }
}

impl<S, W, O> Policy<S, W, O> {
    /// A policy whose calls are named after `site`.
    #[doc(hidden)]
    pub const fn at(site: &'static Site, stop: S, wait: W, on: O) -> Self {
        Self { stop, wait, on, rules: Rules::DEFAULT, limits: (), site }
    }
}

impl<S, W, O, L> Policy<S, W, O, L> {
    /// A policy that is like another one but for these three, for what calls on its behalf.
    #[doc(hidden)]
    pub fn like<P: AsPolicy<Limits = L> + ?Sized>(policy: &P, stop: S, wait: W, on: O) -> Self {
        Self { stop, wait, on, rules: policy.rules(), limits: policy.limits(), site: policy.site() }
    }
}

impl<S: Stop, W: Wait, O, L: Limiting> Policy<S, W, O, L> {
    /// The same policy with a type that can be named; see [`BoxedPolicy`].
    pub fn boxed<E>(self) -> BoxedPolicy<E, S::Ends, L>
    where
        S: Send + Sync + 'static,
        W: Send + Sync + 'static,
        O: OnError<E> + Send + Sync + 'static,
    {
        Policy {
            stop: Boxed(Arc::new(self.stop)),
            wait: Boxed(Arc::new(self.wait)),
            on: Boxed(Arc::new(self.on)),
            rules: self.rules,
            limits: self.limits,
            site: self.site,
        }
    }

    /// The policy without its condition, with a type that can be named; see [`Pace`].
    pub(crate) fn pace(self) -> Pace<S::Ends>
    where
        S: Send + Sync + 'static,
        W: Send + Sync + 'static,
    {
        Policy {
            stop: Arc::new(self.stop),
            wait: Arc::new(self.wait),
            on: Unjudged,
            rules: self.rules,
            limits: Uncut(self.limits.settings()),
            site: self.site,
        }
    }
}

impl<S: Stop, W: Wait, O, L: Limiting> AsPolicy for Policy<S, W, O, L> {
    type Stop = S;
    type Wait = W;
    type On = O;

    fn stop(&self) -> &S {
        &self.stop
    }

    fn wait(&self) -> &W {
        &self.wait
    }

    fn on(&self) -> &O {
        &self.on
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn site(&self) -> &'static Site {
        self.site
    }
}

macro_rules! policy_through {
    ($([$($param:tt)*] $pointer:ty),* $(,)?) => {$(
        impl<P: AsPolicy $($param)*> SealedPolicy for $pointer {
            type Limits = P::Limits;

            fn limited_by(&self) -> P::Limits {
                (**self).limits()
            }
        }

        impl<P: AsPolicy $($param)*> AsPolicy for $pointer {
            type Stop = P::Stop;
            type Wait = P::Wait;
            type On = P::On;

            fn stop(&self) -> &P::Stop {
                (**self).stop()
            }

            fn wait(&self) -> &P::Wait {
                (**self).wait()
            }

            fn on(&self) -> &P::On {
                (**self).on()
            }

            fn rules(&self) -> Rules {
                (**self).rules()
            }

            fn site(&self) -> &'static Site {
                (**self).site()
            }
        }
    )*};
}

policy_through!(
    [+ ?Sized] &P,
    [+ ?Sized] Box<P>,
    [+ ?Sized] Rc<P>,
    [+ ?Sized] Arc<P>,
    [, F: FnOnce() -> P] LazyLock<P, F>,
);
