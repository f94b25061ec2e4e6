//! What every combination of strategies promises: properties of random trees of them, and the
//! situations that have a name.

// A test reports by panicking.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use retry::stop::{Bounded, Limits, Unbounded};
use retry::{
    Delay, Policy, Schedule, State, Step, Stop, StopReason, Verdict, Wait, on, stop, wait,
};

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn boxed<'a>(wait: impl Wait + 'a) -> Box<dyn Wait + 'a> {
    Box::new(wait)
}

/// The delay after attempt number `attempt`, for strategies that draw nothing.
fn after(attempt: u32, wait: &impl Wait) -> Duration {
    wait.delay(&State::new(attempt)).total()
}

// Random trees of wait strategies.

/// A wait strategy as a description: what to build, and what may be expected of it.
#[derive(Clone, Debug)]
enum Tree {
    None,
    Fixed(Duration),
    Linear(Duration, Duration),
    Exponential(Duration, f64),
    Fibonacci(Duration),
    Random(Duration, Duration),
    Decorrelated(Duration, Duration),
    Sequence(Vec<Duration>),
    /// A closure that returns a `Duration`.
    By(Duration),
    /// A closure that returns a `Delay` drawn from a range.
    ByDelay(Duration, Duration),
    /// A closure that asks another strategy.
    Asking(Box<Tree>),
    Shared(Box<Tree>),
    Cap(Box<Tree>, Duration),
    Floor(Box<Tree>, Duration),
    FullJitter(Box<Tree>),
    EqualJitter(Box<Tree>),
    Jitter(Box<Tree>, Duration),
    JitterFactor(Box<Tree>, f64),
    Sum(Box<Tree>, Box<Tree>),
    Max(Box<Tree>, Box<Tree>),
    Min(Box<Tree>, Box<Tree>),
    Throttled(Box<Tree>, Box<Tree>),
    Then(Box<Tree>, u32, Box<Tree>),
}

impl Tree {
    fn build(&self) -> Box<dyn Wait> {
        match self {
            Self::None => boxed(wait::none()),
            Self::Fixed(delay) => boxed(wait::fixed(*delay)),
            Self::Linear(start, step) => boxed(wait::linear(*start, *step)),
            Self::Exponential(base, factor) => boxed(wait::exponential(*base).factor(*factor)),
            Self::Fibonacci(base) => boxed(wait::fibonacci(*base)),
            Self::Random(start, end) => boxed(wait::random(*start..*end)),
            Self::Decorrelated(base, cap) => boxed(wait::decorrelated(*base, *cap)),
            Self::Sequence(delays) => boxed(wait::sequence(delays.clone())),
            Self::By(delay) => {
                let delay = *delay;
                boxed(wait::by(move |_: &State| delay))
            }
            Self::ByDelay(value, most) => {
                let delay = Delay::between(*value, *most);
                boxed(wait::by(move |_: &State| delay))
            }
            Self::Asking(tree) => {
                let wait = tree.build();
                boxed(wait::by(move |state: &State| wait.delay(state)))
            }
            Self::Shared(tree) => boxed(Arc::<dyn Wait>::from(tree.build())),
            Self::Cap(tree, cap) => boxed(tree.build().cap(*cap)),
            Self::Floor(tree, floor) => boxed(tree.build().floor(*floor)),
            Self::FullJitter(tree) => boxed(tree.build().full_jitter()),
            Self::EqualJitter(tree) => boxed(tree.build().equal_jitter()),
            Self::Jitter(tree, width) => boxed(tree.build().jitter(*width)),
            Self::JitterFactor(tree, factor) => boxed(tree.build().jitter_factor(*factor)),
            Self::Sum(a, b) => boxed(wait::add(a.build(), b.build())),
            Self::Max(a, b) => boxed(a.build().max(b.build())),
            Self::Min(a, b) => boxed(a.build().min(b.build())),
            Self::Throttled(a, b) => boxed(a.build().throttled(b.build())),
            Self::Then(a, times, b) => boxed(a.build().times(*times).then(b.build())),
        }
    }

    /// What the tree may answer after this attempt, by the meaning of its parts.
    fn bounds(&self, attempt: u32, throttled: bool) -> Bounds {
        let of = |tree: &Self| tree.bounds(attempt, throttled);
        match self {
            Self::None => Bounds::up_to(Duration::ZERO),
            Self::Fixed(delay) | Self::By(delay) => Bounds::up_to(*delay),
            Self::Linear(start, step) => {
                Bounds::up_to(start.saturating_add(step.saturating_mul(attempt - 1)))
            }
            // How fast they grow is the business of other tests; here they are endless.
            Self::Exponential(..) | Self::Fibonacci(_) => Bounds::up_to(Duration::MAX),
            Self::Random(a, b) | Self::Decorrelated(a, b) => Bounds::up_to(*a.max(b)),
            Self::Sequence(delays) => {
                Bounds::up_to(delays.iter().max().copied().unwrap_or_default())
            }
            Self::ByDelay(_, most) => Bounds::up_to(*most),
            Self::Cap(tree, cap) => {
                let bounds = of(tree);
                Bounds { most: bounds.most.min(*cap), ..bounds }
            }
            Self::Floor(tree, floor) => of(tree).map_floor(|inner| inner.max(*floor)),
            Self::Jitter(tree, width) => {
                let bounds = of(tree);
                Bounds { extra: bounds.extra.saturating_add(*width), ..bounds }
            }
            Self::Asking(tree)
            | Self::Shared(tree)
            | Self::FullJitter(tree)
            | Self::EqualJitter(tree)
            | Self::JitterFactor(tree, _) => of(tree),
            // A floor may lift each side on its own.
            Self::Sum(a, b) => of(a).raised().with(of(b).raised(), Duration::saturating_add),
            Self::Max(a, b) => of(a).with(of(b), Ord::max),
            // Either may be the shorter, and brings its floor along.
            Self::Min(a, b) => {
                let (a, b) = (of(a), of(b));
                Bounds { least: a.least.min(b.least), ..a.with(b, Ord::max) }
            }
            Self::Throttled(a, b) => of(if throttled { b } else { a }),
            Self::Then(a, times, _) if attempt <= *times => of(a),
            Self::Then(_, times, b) => b.bounds(attempt - times, throttled),
        }
    }
}

/// The limits of a [`Delay`].
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Of its value.
    most: Duration,
    /// Of its additive jitter.
    extra: Duration,
    /// Of its floor, from below: the tree waits that long at least.
    least: Duration,
    /// Of its floor, from above: how far it may lift the delay over the cap.
    lifted: Duration,
}

impl Bounds {
    const fn up_to(most: Duration) -> Self {
        let zero = Duration::ZERO;
        Self { most, extra: zero, least: zero, lifted: zero }
    }

    fn map_floor(self, map: impl Fn(Duration) -> Duration) -> Self {
        Self { least: map(self.least), lifted: map(self.lifted), ..self }
    }

    fn with(self, other: Self, join: impl Fn(Duration, Duration) -> Duration) -> Self {
        Self {
            most: join(self.most, other.most),
            extra: join(self.extra, other.extra),
            least: join(self.least, other.least),
            lifted: join(self.lifted, other.lifted),
        }
    }

    /// With what a floor may lift the delay to counted as its value.
    fn raised(self) -> Self {
        Self { most: self.most.max(self.lifted), ..self }
    }

    /// What the whole delay lies in.
    fn total(self) -> RangeInclusive<Duration> {
        self.least..=self.most.saturating_add(self.extra).max(self.lifted)
    }
}

fn any_duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        4 => (0..20_000_u64).prop_map(ms),
        2 => (0..2_000_u64).prop_map(Duration::from_nanos),
        1 => (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(s, ns)| Duration::new(s, ns)),
        1 => Just(Duration::ZERO),
        1 => Just(Duration::MAX),
    ]
}

fn any_factor() -> impl Strategy<Value = f64> {
    let special = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -0.0, 0.0, 1.0];
    prop_oneof![
        4 => 0.0..4.0_f64,
        1 => prop::num::f64::ANY,
        2 => prop::sample::select(special),
    ]
}

fn any_attempt() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 1..20_u32, 2 => 1..=u32::MAX, 1 => Just(u32::MAX)]
}

fn any_tree() -> impl Strategy<Value = Tree> {
    let duration = any_duration;
    let leaf = prop_oneof![
        Just(Tree::None),
        duration().prop_map(Tree::Fixed),
        (duration(), duration()).prop_map(|(a, b)| Tree::Linear(a, b)),
        (duration(), any_factor()).prop_map(|(base, factor)| Tree::Exponential(base, factor)),
        duration().prop_map(Tree::Fibonacci),
        (duration(), duration()).prop_map(|(a, b)| Tree::Random(a, b)),
        (duration(), duration()).prop_map(|(a, b)| Tree::Decorrelated(a, b)),
        prop::collection::vec(duration(), 0..4).prop_map(Tree::Sequence),
        duration().prop_map(Tree::By),
        (duration(), duration()).prop_map(|(a, b)| Tree::ByDelay(a, b)),
    ];
    leaf.prop_recursive(6, 40, 2, move |tree| {
        let one = || tree.clone().prop_map(Box::new);
        let two = || (one(), one());
        prop_oneof![
            one().prop_map(Tree::Asking),
            one().prop_map(Tree::Shared),
            (one(), duration()).prop_map(|(tree, cap)| Tree::Cap(tree, cap)),
            (one(), duration()).prop_map(|(tree, floor)| Tree::Floor(tree, floor)),
            one().prop_map(Tree::FullJitter),
            one().prop_map(Tree::EqualJitter),
            (one(), duration()).prop_map(|(tree, width)| Tree::Jitter(tree, width)),
            (one(), any_factor()).prop_map(|(tree, factor)| Tree::JitterFactor(tree, factor)),
            two().prop_map(|(a, b)| Tree::Sum(a, b)),
            two().prop_map(|(a, b)| Tree::Max(a, b)),
            two().prop_map(|(a, b)| Tree::Min(a, b)),
            two().prop_map(|(a, b)| Tree::Throttled(a, b)),
            (one(), prop_oneof![0..5_u32, any::<u32>()], one())
                .prop_map(|(a, times, b)| Tree::Then(a, times, b)),
        ]
    })
}

/// The state that a tree is asked with.
#[derive(Clone, Copy, Debug)]
struct Asked {
    attempt: u32,
    throttled: bool,
    seed: u64,
}

impl Asked {
    fn state(self) -> State {
        let verdict = if self.throttled { Verdict::Retry.throttled() } else { Verdict::Retry };
        State::new(self.attempt).with_verdict(verdict).seeded(self.seed)
    }
}

fn any_asked() -> impl Strategy<Value = Asked> {
    let parts = (any_attempt(), any::<bool>(), any::<u64>());
    parts.prop_map(|(attempt, throttled, seed)| Asked { attempt, throttled, seed })
}

/// Equal but for rounding to nanoseconds and the 53 bits of a factor.
fn is_about(a: Duration, b: Duration) -> bool {
    a.abs_diff(b).as_secs_f64() <= 3e-9 + 1e-12 * a.max(b).as_secs_f64()
}

fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    // `PROPTEST_CASES` asks for more. A failure prints the shrunken case; files of old ones would
    // only collect.
    ProptestConfig { cases: default.cases.max(500), failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_tree_leaves_the_bounds_of_its_caps_jitters_and_floors(
        tree in any_tree(),
        asked in any_asked(),
    ) {
        let (wait, state) = (tree.build(), asked.state());
        let bounds = tree.bounds(asked.attempt, asked.throttled);
        // Several times, because a decorrelated one grows.
        for _ in 0..4 {
            let delay = wait.delay(&state);
            prop_assert!(delay.value() <= delay.most(), "{delay:?}");
            prop_assert!(delay.most() <= bounds.most, "{delay:?}, {bounds:?}");
            prop_assert!(bounds.total().contains(&delay.total()), "{delay:?}, {bounds:?}");
            prop_assert_eq!(state.attempt(), asked.attempt);
        }
    }

    #[test]
    fn nothing_is_below_the_outermost_floor(
        tree in any_tree(),
        floor in any_duration(),
        cap in any_duration(),
        asked in any_asked(),
    ) {
        let wait = tree.build().floor(floor);
        prop_assert!(wait.delay(&asked.state()).total() >= floor);
        let shaped = wait.cap(cap).full_jitter().equal_jitter().jitter_factor(0.5);
        prop_assert!(shaped.delay(&asked.state()).total() >= floor);
    }

    #[test]
    fn nothing_but_additive_jitter_and_a_floor_is_above_the_outermost_cap(
        tree in any_tree(),
        cap in any_duration(),
        width in any_duration(),
        asked in any_asked(),
    ) {
        let wait = tree.build().cap(cap).jitter(width);
        let (delay, inside) =
            (wait.delay(&asked.state()), tree.bounds(asked.attempt, asked.throttled));
        prop_assert!(delay.value() <= cap);
        let widths = inside.extra.saturating_add(width);
        prop_assert!(delay.total() <= cap.saturating_add(widths).max(inside.lifted), "{delay:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_delays(tree in any_tree(), asked in any_asked()) {
        let (one, other) = (asked.state(), asked.state());
        for _ in 0..3 {
            prop_assert_eq!(tree.build().delay(&one), tree.build().delay(&other));
        }
    }

    #[test]
    fn a_reference_a_shared_pointer_and_a_closure_change_nothing(
        tree in any_tree(),
        asked in any_asked(),
    ) {
        let wait = tree.build();
        let plain = wait.delay(&asked.state());
        prop_assert_eq!(<&Box<dyn Wait>>::delay(&&wait, &asked.state()), plain);
        let asking = wait::by(|state: &State| wait.delay(state));
        prop_assert_eq!(asking.delay(&asked.state()), plain);
        prop_assert_eq!(Rc::new(asking).delay(&asked.state()), plain);
    }

    #[test]
    fn a_cap_may_stand_before_or_after_any_jitter(
        tree in any_tree(),
        cap in any_duration(),
        width in any_duration(),
        factor in any_factor(),
        asked in any_asked(),
    ) {
        let wait = &tree.build();
        let pairs = [
            (boxed(wait.cap(cap).full_jitter()), boxed(wait.full_jitter().cap(cap))),
            (boxed(wait.cap(cap).equal_jitter()), boxed(wait.equal_jitter().cap(cap))),
            (boxed(wait.cap(cap).jitter(width)), boxed(wait.jitter(width).cap(cap))),
            (
                boxed(wait.cap(cap).jitter_factor(factor)),
                boxed(wait.jitter_factor(factor).cap(cap)),
            ),
        ];
        for (before, after) in pairs {
            let (before, after) = (before.delay(&asked.state()), after.delay(&asked.state()));
            prop_assert!(is_about(before.value(), after.value()), "{before:?} {after:?}");
            prop_assert_eq!(before.most(), after.most());
            prop_assert_eq!(before.extra(), after.extra());
            prop_assert_eq!(before.floor(), after.floor());
        }
    }

    #[test]
    fn of_two_caps_the_lower_counts(
        tree in any_tree(),
        a in any_duration(),
        b in any_duration(),
        asked in any_asked(),
    ) {
        let wait = &tree.build();
        let both = wait.cap(a).cap(b).delay(&asked.state());
        let lower = wait.cap(a.min(b)).delay(&asked.state());
        prop_assert!(is_about(both.total(), lower.total()), "{both:?} {lower:?}");
        prop_assert_eq!(both.most(), lower.most());
    }

    #[test]
    fn two_joined_wait_the_sum_the_longer_or_the_shorter_of_what_each_waits(
        a in any_tree(),
        b in any_tree(),
        asked in any_asked(),
    ) {
        let (a, b) = (&a.build(), &b.build());
        // Both draw from one source, in this order.
        let state = asked.state();
        let (alone_a, alone_b) = (a.delay(&state).total(), b.delay(&state).total());
        let total = |wait: &dyn Wait| wait.delay(&asked.state()).total();
        prop_assert_eq!(total(&wait::add(a, b)), alone_a.saturating_add(alone_b));
        prop_assert_eq!(total(&Wait::max(a, b)), alone_a.max(alone_b));
        prop_assert_eq!(total(&Wait::min(a, b)), alone_a.min(alone_b));
    }

    #[test]
    fn what_follows_then_is_asked_as_if_its_first_wait_were_the_first(
        first in any_tree(),
        next in any_tree(),
        times in prop_oneof![0..10_u32, any::<u32>()],
        asked in any_asked(),
    ) {
        let (first, next) = (&first.build(), &next.build());
        let wanted = match asked.attempt.checked_sub(times) {
            None | Some(0) => first.delay(&asked.state()),
            Some(attempt) => next.delay(&Asked { attempt, ..asked }.state()),
        };
        prop_assert_eq!(first.times(times).then(next).delay(&asked.state()), wanted);
    }

    #[test]
    fn a_backoff_never_goes_backwards(
        base in any_duration(),
        step in any_duration(),
        factor in any_factor(),
        cap in any_duration(),
        floor in any_duration(),
        attempts in (any_attempt(), any_attempt()),
        distance in 0..3_u32,
    ) {
        let earlier = attempts.0.min(attempts.1);
        let backoffs = [
            boxed(wait::linear(base, step)),
            boxed(wait::exponential(base)),
            boxed(wait::exponential(base).factor(factor)),
            boxed(wait::fibonacci(base)),
        ];
        for backoff in &backoffs {
            let shaped = backoff.cap(cap).floor(floor);
            for later in [attempts.0.max(attempts.1), earlier.saturating_add(distance)] {
                prop_assert!(after(earlier, backoff) <= after(later, backoff));
                prop_assert!(after(earlier, &shaped) <= after(later, &shaped));
            }
        }
    }
}

// Random trees of stop strategies.

#[derive(Clone, Debug)]
enum StopTree {
    Attempts(u32),
    Within(Duration),
    Elapsed(Duration),
    /// So long after the moment at which the call starts.
    Until(Duration),
    When(bool),
    Never,
    Absent,
    Optional(Box<StopTree>),
    Shared(Box<StopTree>),
    Or(Box<StopTree>, Box<StopTree>),
    And(Box<StopTree>, Box<StopTree>),
}

/// The types say which trees are sure to end, so that building one checks their arithmetic.
enum Built {
    Bounded(Box<dyn Stop<Ends = Bounded>>),
    Unbounded(Box<dyn Stop<Ends = Unbounded>>),
}

impl StopTree {
    fn build(&self, start: Instant) -> Built {
        use Built::{Bounded, Unbounded};
        match self {
            Self::Attempts(n) => Bounded(Box::new(stop::attempts(*n))),
            Self::Within(limit) => Bounded(Box::new(stop::within(*limit))),
            Self::Elapsed(limit) => Bounded(Box::new(stop::elapsed(*limit))),
            Self::Until(after) => Bounded(Box::new(stop::until(start + *after))),
            Self::When(answer) => {
                let answer = *answer;
                Unbounded(Box::new(stop::when(move |_| answer)))
            }
            Self::Never => Unbounded(Box::new(stop::Never)),
            Self::Absent => Unbounded(Box::new(None::<stop::Attempts>)),
            Self::Optional(tree) => match tree.build(start) {
                Bounded(stop) => Unbounded(Box::new(Some(stop))),
                Unbounded(stop) => Unbounded(Box::new(Some(stop))),
            },
            Self::Shared(tree) => match tree.build(start) {
                Bounded(stop) => Bounded(Box::new(Rc::new(stop))),
                Unbounded(stop) => Unbounded(Box::new(Rc::new(stop))),
            },
            Self::Or(a, b) => match (a.build(start), b.build(start)) {
                (Bounded(a), Bounded(b)) => Bounded(Box::new(stop::or(a, b))),
                (Bounded(a), Unbounded(b)) => Bounded(Box::new(stop::or(a, b))),
                (Unbounded(a), Bounded(b)) => Bounded(Box::new(stop::or(a, b))),
                (Unbounded(a), Unbounded(b)) => Unbounded(Box::new(stop::or(a, b))),
            },
            Self::And(a, b) => match (a.build(start), b.build(start)) {
                (Bounded(a), Bounded(b)) => Bounded(Box::new(stop::and(a, b))),
                (Bounded(a), Unbounded(b)) => Unbounded(Box::new(stop::and(a, b))),
                (Unbounded(a), Bounded(b)) => Unbounded(Box::new(stop::and(a, b))),
                (Unbounded(a), Unbounded(b)) => Unbounded(Box::new(stop::and(a, b))),
            },
        }
    }
}

impl Built {
    fn stop(&self, state: &State) -> bool {
        match self {
            Self::Bounded(stop) => stop.stop(state),
            Self::Unbounded(stop) => stop.stop(state),
        }
    }

    fn limits(&self, state: &State) -> Limits {
        match self {
            Self::Bounded(stop) => stop.limits(state),
            Self::Unbounded(stop) => stop.limits(state),
        }
    }

    fn remaining(&self, state: &State) -> Option<Duration> {
        self.limits(state).remaining
    }
}

fn any_stop() -> impl Strategy<Value = StopTree> {
    let leaf = prop_oneof![
        prop_oneof![0..10_u32, any::<u32>()].prop_map(StopTree::Attempts),
        any_duration().prop_map(StopTree::Within),
        any_duration().prop_map(StopTree::Elapsed),
        (0..20_000_u64).prop_map(|after| StopTree::Until(ms(after))),
        any::<bool>().prop_map(StopTree::When),
        Just(StopTree::Never),
        Just(StopTree::Absent),
    ];
    leaf.prop_recursive(5, 24, 2, |tree| {
        let one = || tree.clone().prop_map(Box::new);
        prop_oneof![
            one().prop_map(StopTree::Optional),
            one().prop_map(StopTree::Shared),
            (one(), one()).prop_map(|(a, b)| StopTree::Or(a, b)),
            (one(), one()).prop_map(|(a, b)| StopTree::And(a, b)),
        ]
    })
}

/// A moment of a call that started at `start`: the attempt, the time it took, what comes next.
#[derive(Clone, Copy, Debug)]
struct Moment {
    attempt: u32,
    elapsed: Duration,
    delay: Duration,
}

impl Moment {
    fn state(self, start: Instant) -> State {
        // A clock ends somewhere; what `until` is given lies within a minute.
        let now = start.checked_add(self.elapsed).unwrap_or(start + secs(60));
        State::new(self.attempt).with_elapsed(self.elapsed).with_now(now).with_delay(self.delay)
    }
}

/// What a schedule answers at that moment, after its first attempt.
fn first_step(stop: impl Stop<Ends = Bounded>, start: Instant, moment: Moment) -> Step {
    let mut schedule = Schedule::new(Policy::new(stop, wait::fixed(moment.delay), on::any_error()));
    schedule.start_at(start);
    schedule.failed_at(start + moment.elapsed, &Err::<(), _>(()))
}

fn any_moment() -> impl Strategy<Value = Moment> {
    let parts = (any_attempt(), any_duration(), any_duration());
    parts.prop_map(|(attempt, elapsed, delay)| Moment { attempt, elapsed, delay })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_bounded_stop_gives_up_in_the_end(tree in any_stop()) {
        let start = Instant::now();
        let end = Moment { attempt: u32::MAX, elapsed: Duration::MAX, delay: Duration::ZERO };
        if let Built::Bounded(stop) = tree.build(start) {
            prop_assert!(stop.stop(&end.state(start)));
        }
    }

    #[test]
    fn who_gives_up_has_a_reason_and_who_goes_on_has_none(
        tree in any_stop(),
        moment in any_moment(),
    ) {
        let start = Instant::now();
        let moment = Moment { elapsed: moment.elapsed.min(secs(3600)), ..moment };
        let Built::Bounded(stop) = tree.build(start) else { return Ok(()) };
        let first = Moment { attempt: 1, ..moment }.state(start);
        let expected = stop.stop(&first);
        let has_when = format!("{tree:?}").contains("When(true)");
        match first_step(stop, start, moment).delay() {
            Ok(delay) => prop_assert!(!expected && delay == moment.delay),
            Err(StopReason::Custom) => prop_assert!(expected && has_when),
            Err(reason) => {
                prop_assert!(matches!(reason, StopReason::Attempts | StopReason::Time));
                prop_assert!(expected);
            }
        }
    }

    #[test]
    fn who_has_no_time_left_gives_up(tree in any_stop(), moment in any_moment()) {
        let start = Instant::now();
        let (stop, state) = (tree.build(start), moment.state(start));
        if stop.remaining(&state) == Some(Duration::ZERO) {
            prop_assert!(stop.stop(&state));
        }
    }

    #[test]
    fn who_has_given_up_does_not_think_better_of_it_later(
        tree in any_stop(),
        moment in any_moment(),
        more in any_moment(),
    ) {
        let start = Instant::now();
        let stop = tree.build(start);
        let later = Moment {
            attempt: moment.attempt.saturating_add(more.attempt),
            elapsed: moment.elapsed.saturating_add(more.elapsed),
            delay: moment.delay.saturating_add(more.delay),
        };
        if stop.stop(&moment.state(start)) {
            prop_assert!(stop.stop(&later.state(start)));
        }
        let (left, still) =
            (stop.remaining(&moment.state(start)), stop.remaining(&later.state(start)));
        prop_assert_eq!(left.is_some(), still.is_some());
        prop_assert!(still <= left);
    }

    #[test]
    fn two_stops_joined_give_up_when_either_does_or_both_do(
        a in any_stop(),
        b in any_stop(),
        moment in any_moment(),
    ) {
        let start = Instant::now();
        let state = moment.state(start);
        let answer = |tree: &StopTree| tree.build(start).stop(&state);
        let (left, right) = (answer(&a), answer(&b));
        let (a, b) = (Box::new(a), Box::new(b));
        prop_assert_eq!(answer(&StopTree::Or(a.clone(), b.clone())), left || right);
        prop_assert_eq!(answer(&StopTree::And(a, b)), left && right);
    }
}

// Clients that failed at the same moment must not come back at the same moment.

/// The delays of 1,000 clients, each with randomness of its own, after attempt 6.
fn clients(wait: &dyn Wait) -> Vec<Duration> {
    let client = |seed| State::new(6).with_verdict(Verdict::Retry.throttled()).seeded(seed);
    (0..1_000).map(|seed| wait.delay(&client(seed)).total()).collect()
}

/// How many clients come back in each slot of 100 ms.
fn slots(delays: &[Duration]) -> BTreeMap<u128, usize> {
    let mut slots = BTreeMap::new();
    for delay in delays {
        *slots.entry(delay.as_millis() / 100).or_default() += 1;
    }
    slots
}

#[track_caller]
fn assert_spread(name: &str, wait: &dyn Wait) {
    let delays = clients(wait);
    let slots = slots(&delays);
    assert!(slots.len() >= 78, "{name}: only {} slots", slots.len());
    // A cap that cuts off leaves half of the slots as they are, and everybody else in one.
    let fullest = slots.values().max().unwrap();
    assert!(*fullest <= 40, "{name}: {fullest} clients in one slot");
    assert!(delays.iter().all(|delay| *delay <= secs(8)), "{name}: above the cap");
}

#[test]
fn full_jitter_survives_the_cap_in_whatever_order_and_nesting() {
    let backoff = wait::exponential(ms(500));
    let cap = secs(8);
    let jittered = backoff.full_jitter();
    // A strategy that counts on from attempt 1 after two others.
    let ahead = wait::exponential(secs(2)).full_jitter();
    let asking = move |state: &State| jittered.delay(state);
    let waits = [
        ("before the jitter", boxed(backoff.cap(cap).full_jitter())),
        ("after the jitter", boxed(jittered.cap(cap))),
        ("on both sides", boxed(backoff.cap(secs(10)).full_jitter().cap(cap))),
        ("under a floor", boxed(jittered.floor(ms(1)).cap(cap))),
        ("in a sum", boxed(jittered.cap(cap) + wait::none())),
        ("over a sum", boxed((jittered + wait::none()).cap(cap))),
        ("in a maximum", boxed(jittered.cap(cap).max(wait::none()))),
        ("over a maximum", boxed(jittered.max(wait::none()).cap(cap))),
        ("over a minimum", boxed(jittered.min(wait::fixed(secs(20))).cap(cap))),
        ("in `then`", boxed(wait::none().times(2).then(ahead.cap(cap)))),
        ("over `then`", boxed(wait::none().times(2).then(ahead).cap(cap))),
        ("in `throttled`", boxed(wait::none().throttled(jittered.cap(cap)))),
        ("over `throttled`", boxed(wait::none().throttled(jittered).cap(cap))),
        ("over a box", boxed(boxed(jittered).cap(cap))),
        ("over a box of a sum", boxed(boxed(wait::none() + boxed(jittered)).cap(cap))),
        ("over an arc", boxed(Arc::<dyn Wait>::from(boxed(jittered)).cap(cap))),
        ("over a closure", boxed(wait::by(asking).cap(cap))),
        ("over the jitter of a closure", boxed(wait::by(|_| secs(16)).full_jitter().cap(cap))),
        ("over a random range", boxed(wait::random(ms(0)..secs(16)).cap(cap))),
        ("over the widest factor", boxed(backoff.jitter_factor(1.0).cap(cap))),
    ];
    for (name, wait) in &waits {
        assert_spread(name, wait);
    }
}

#[test]
fn equal_jitter_survives_the_cap_over_the_upper_half() {
    let backoff = wait::exponential(ms(500));
    let cap = secs(8);
    for wait in [boxed(backoff.cap(cap).equal_jitter()), boxed(backoff.equal_jitter().cap(cap))] {
        let delays = clients(&wait);
        assert!(delays.iter().all(|delay| (secs(4)..=cap).contains(delay)));
        assert!(slots(&delays).len() >= 39);
    }
}

#[test]
fn additive_jitter_comes_on_top_of_the_cap_by_no_more_than_its_width() {
    let backoff = wait::exponential(ms(500));
    let (cap, width) = (secs(8), ms(500));
    for wait in [
        boxed(backoff.cap(cap).jitter(width)),
        boxed(backoff.jitter(width).cap(cap)),
        boxed(boxed(backoff.jitter(width)).cap(cap)),
        boxed(backoff.cap(cap) + wait::none().jitter(width)),
        boxed(wait::none().max(backoff.jitter(width)).cap(cap)),
        boxed(wait::none().times(1).then(backoff.jitter(width)).cap(cap)),
    ] {
        let delays = clients(&wait);
        assert!(delays.iter().all(|delay| (cap..=cap + width).contains(delay)));
        assert_eq!(slots(&delays).len(), 5);
    }
}

#[test]
fn a_cap_without_jitter_puts_everybody_in_one_slot() {
    // So the tests above measure the jitter.
    assert_eq!(slots(&clients(&wait::exponential(ms(500)).cap(secs(8)))).len(), 1);
}

// Decorrelated.

#[test]
fn decorrelated_draws_from_its_base_to_three_times_its_own_value_before() {
    let wait = wait::decorrelated(secs(1), secs(60));
    for seed in 0..50 {
        let state = State::new(1).seeded(seed);
        let mut before = secs(1);
        for _ in 0..20 {
            let delay = wait.delay(&state);
            assert_eq!(delay.most(), (before * 3).min(secs(60)));
            assert!((secs(1)..=delay.most()).contains(&delay.total()), "{delay:?}");
            before = delay.total();
        }
    }
}

#[test]
fn decorrelated_knows_nothing_of_another_one_of_another_call_or_of_a_hint() {
    let (one, other) = (wait::decorrelated(secs(1), secs(600)), wait::decorrelated(ms(1), secs(9)));
    let asked_to_wait = Verdict::Retry.retry_after(secs(100));
    let state = State::new(1).seeded(5).with_verdict(asked_to_wait);
    let (mut before, mut other_before) = (secs(1), ms(1));
    for _ in 0..10 {
        let delay = one.delay(&state);
        assert_eq!(delay.most(), (before * 3).min(secs(600)));
        before = delay.value();

        let delay = other.delay(&state);
        assert_eq!(delay.most(), (other_before * 3).min(secs(9)));
        other_before = delay.value();
    }
    assert_eq!(one.delay(&State::new(11)).most(), secs(3));
}

#[test]
fn what_shapes_a_decorrelated_one_does_not_change_what_it_grows_from() {
    let plain = wait::decorrelated(secs(1), secs(600));
    let shaped = plain.cap(ms(10)).floor(secs(300)) + wait::fixed(secs(7));
    let (state, same) = (State::new(1).seeded(3), State::new(1).seeded(3));
    for _ in 0..10 {
        shaped.delay(&state);
        plain.delay(&same);
    }
    assert_eq!(plain.delay(&state), plain.delay(&same));
}

#[test]
fn decorrelated_stays_spread_out_at_its_cap() {
    let wait = wait::decorrelated(ms(500), secs(8));
    let delays: Vec<_> = (0..1_000)
        .map(|seed| {
            let state = State::new(1).seeded(seed);
            (0..30).map(|_| wait.delay(&state).total()).last().unwrap()
        })
        .collect();
    let slots = slots(&delays);
    assert!(slots.len() >= 70, "{} slots", slots.len());
    assert!(slots.values().all(|clients| *clients <= 50), "{slots:?}");
    assert!(delays.iter().all(|delay| (ms(500)..=secs(8)).contains(delay)));
}

#[test]
fn decorrelated_with_a_cap_below_its_base_waits_the_base() {
    let wait = wait::decorrelated(secs(5), secs(1));
    let state = State::new(1);
    for _ in 0..5 {
        assert_eq!(wait.delay(&state), Delay::fixed(secs(5)));
    }
}

// The plain strategies.

fn first_delays<const N: usize>(wait: &impl Wait) -> [Duration; N] {
    let mut attempt = 0;
    [(); N].map(|()| {
        attempt += 1;
        after(attempt, wait)
    })
}

#[test]
fn what_follows_then_counts_from_1() {
    let wait = wait::exponential(secs(1)).times(3).then(wait::exponential(secs(10)));
    assert_eq!(first_delays(&wait), [1, 2, 4, 10, 20, 40].map(secs));

    let three =
        wait::fixed(ms(1)).times(2).then(wait::linear(secs(1), secs(1)).times(2).then(wait));
    assert_eq!(after(2, &three), ms(1));
    assert_eq!([3, 4, 5, 6, 7, 8].map(|n| after(n, &three)), [1, 2, 1, 2, 4, 10].map(secs));
}

#[test]
fn a_first_part_of_no_times_is_skipped_and_one_of_all_times_never_ends() {
    let wait = wait::fixed(secs(1)).times(0).then(wait::exponential(secs(10)));
    assert_eq!(first_delays(&wait), [secs(10), secs(20)]);
    let wait = wait::fixed(secs(1)).times(u32::MAX).then(wait::none());
    assert_eq!(after(u32::MAX, &wait), secs(1));
}

#[test]
fn the_last_of_a_sequence_repeats_and_an_empty_one_waits_not_at_all() {
    let wait = wait::sequence([secs(1), secs(5), secs(30)]);
    assert_eq!(first_delays(&wait), [1, 5, 30, 30].map(secs));
    assert_eq!(after(u32::MAX, &wait), secs(30));
    assert_eq!(first_delays(&wait::sequence(Vec::new())), [Duration::ZERO; 2]);
    assert_eq!(after(2, &wait::sequence(&[secs(1), secs(2)][..])), secs(2));
}

#[test]
fn fibonacci_and_linear_climb_as_their_names_say() {
    assert_eq!(first_delays(&wait::fibonacci(secs(2))), [2, 2, 4, 6, 10, 16, 26].map(secs));
    assert_eq!(first_delays(&wait::linear(secs(3), secs(2))), [3, 5, 7, 9].map(secs));
    assert_eq!(first_delays(&wait::linear(secs(3), secs(0))), [3, 3].map(secs));
}

#[test]
fn a_factor_below_1_or_not_a_number_counts_as_1() {
    for factor in [0.5, 0.0, -2.0, f64::NAN, f64::NEG_INFINITY] {
        let wait = wait::exponential(secs(3)).factor(factor);
        assert_eq!(first_delays(&wait), [secs(3); 5], "{factor}");
    }
    let wait = wait::exponential(secs(3)).factor(f64::INFINITY);
    assert_eq!(first_delays(&wait), [secs(3), Duration::MAX]);
}

#[test]
fn a_base_of_zero_stays_zero_however_many_attempts() {
    for attempt in [1, 2, 1_025, u32::MAX] {
        assert_eq!(after(attempt, &wait::exponential(Duration::ZERO)), Duration::ZERO);
        let steep = wait::exponential(Duration::ZERO).factor(f64::INFINITY).cap(secs(60));
        assert_eq!(after(attempt, &steep), Duration::ZERO);
        assert_eq!(after(attempt, &wait::fibonacci(Duration::ZERO)), Duration::ZERO);
        let flat = wait::linear(Duration::ZERO, Duration::ZERO);
        assert_eq!(after(attempt, &flat), Duration::ZERO);
    }
}

#[test]
fn a_backoff_of_all_attempts_there_are_is_the_longest_delay_there_is() {
    let tiny = Duration::from_nanos(1);
    for wait in [
        boxed(wait::exponential(tiny)),
        boxed(wait::exponential(tiny).factor(1.000_001)),
        boxed(wait::fibonacci(tiny)),
        boxed(wait::linear(tiny, Duration::MAX)),
        boxed(wait::fixed(Duration::MAX) + wait::fixed(tiny)),
        boxed(wait::fixed(Duration::MAX).floor(Duration::MAX).cap(tiny)),
    ] {
        assert_eq!(after(u32::MAX, &wait), Duration::MAX);
    }
    assert_eq!(after(u32::MAX, &wait::linear(tiny, tiny)), Duration::from_nanos(u32::MAX.into()));
}

#[test]
fn attempt_zero_counts_as_the_first() {
    assert_eq!(after(0, &wait::exponential(secs(3))), secs(3));
    assert_eq!(after(0, &wait::linear(secs(3), secs(1))), secs(3));
}

#[test]
fn a_policy_nested_a_thousand_deep_answers() {
    let mut wait = boxed(wait::exponential(ms(1)));
    let mut stop: Box<dyn Stop<Ends = Bounded>> = Box::new(stop::attempts(9));
    for _ in 0..250 {
        wait = boxed(boxed(wait.cap(secs(9)).jitter(Duration::ZERO)).max(wait::none()));
        wait = boxed(wait::none().times(1).then(wait) + wait::none());
        stop = Box::new(stop::and(stop::or(stop, stop::Never), stop::attempts(2)));
    }
    assert_eq!(after(u32::MAX, &wait), secs(9));
    assert_eq!(after(251, &wait), ms(1));
    assert!(!stop.stop(&State::new(8)));
    assert!(stop.stop(&State::new(9)));
}

// Ranges: from the least to the most that comes out of many draws.

#[track_caller]
fn assert_range(name: &str, wait: &dyn Wait, range: RangeInclusive<Duration>) {
    let draw = |seed| wait.delay(&State::new(1).seeded(seed)).total();
    let (least, most) = (0..4_000)
        .map(draw)
        .fold((Duration::MAX, Duration::ZERO), |(least, most), d| (least.min(d), most.max(d)));
    assert!(range.contains(&least) && range.contains(&most), "{name}: {least:?}..={most:?}");
    // 4,000 draws of a uniform range come so close to its ends.
    let close = range.end().saturating_sub(*range.start()) / 100;
    assert!(least <= *range.start() + close, "{name}: nothing below {least:?}");
    assert!(most >= range.end().saturating_sub(close), "{name}: nothing above {most:?}");
}

#[test]
fn each_shaper_draws_from_exactly_its_range() {
    let second = wait::fixed(secs(1));
    let zero = Duration::ZERO;
    let waits = [
        ("full", boxed(second.full_jitter()), zero..=secs(1)),
        ("equal", boxed(second.equal_jitter()), ms(500)..=secs(1)),
        ("additive", boxed(second.jitter(ms(250))), secs(1)..=ms(1_250)),
        ("additive, of no width", boxed(second.jitter(zero)), secs(1)..=secs(1)),
        ("additive, over nothing", boxed(wait::none().jitter(ms(250))), zero..=ms(250)),
        ("factor 0.2", boxed(second.jitter_factor(0.2)), ms(800)..=secs(1)),
        ("factor 0", boxed(second.jitter_factor(0.0)), secs(1)..=secs(1)),
        ("factor 1", boxed(second.jitter_factor(1.0)), zero..=secs(1)),
        ("factor above 1", boxed(second.jitter_factor(7.0)), zero..=secs(1)),
        ("factor ∞", boxed(second.jitter_factor(f64::INFINITY)), zero..=secs(1)),
        ("negative factor", boxed(second.jitter_factor(-0.5)), secs(1)..=secs(1)),
        ("no factor at all", boxed(second.jitter_factor(f64::NAN)), secs(1)..=secs(1)),
        ("jitter of nothing", boxed(wait::none().full_jitter()), zero..=zero),
        ("full, on a floor", boxed(second.full_jitter().floor(ms(100))), ms(100)..=secs(1)),
        ("full and additive", boxed(second.full_jitter().jitter(zero)), zero..=secs(1)),
        ("a capped range", boxed(wait::random(secs(1)..secs(3)).cap(ms(300))), ms(100)..=ms(300)),
    ];
    for (name, wait, range) in waits {
        assert_range(name, &wait, range);
    }
}

#[test]
fn a_random_range_may_be_reversed_empty_or_start_at_zero() {
    let zero = Duration::ZERO;
    assert_range("forwards", &wait::random(secs(1)..secs(3)), secs(1)..=secs(3));
    assert_range("reversed", &wait::random(secs(3)..secs(1)), secs(1)..=secs(3));
    assert_range("empty", &wait::random(secs(2)..secs(2)), secs(2)..=secs(2));
    assert_range("from zero", &wait::random(zero..secs(1)), zero..=secs(1));
    assert_range("zero", &wait::random(zero..zero), zero..=zero);
    assert_range("everything", &wait::random(zero..Duration::MAX), zero..=Duration::MAX);
}

#[test]
fn two_draws_of_one_call_differ() {
    let wait = wait::random(secs(0)..secs(1)) + wait::none();
    for state in [State::new(1).seeded(1), State::new(1)] {
        assert_ne!(wait.delay(&state), wait.delay(&state));
    }
    // Without a seed, two calls differ as well.
    assert_ne!(wait.delay(&State::new(1)), wait.delay(&State::new(1)));
}

// Caps and floors.

#[test]
fn a_cap_below_the_base_is_the_delay() {
    let wait = wait::exponential(secs(10)).cap(secs(1));
    assert_eq!(first_delays(&wait), [secs(1); 3]);
    assert_range("jittered", &wait.full_jitter(), Duration::ZERO..=secs(1));
    assert_eq!(after(3, &wait.cap(Duration::ZERO)), Duration::ZERO);
}

#[test]
fn a_floor_above_the_cap_beats_it_in_either_order() {
    let backoff = wait::exponential(secs(1));
    for wait in [
        boxed(backoff.cap(secs(2)).floor(secs(5))),
        boxed(backoff.floor(secs(5)).cap(secs(2))),
        boxed(boxed(backoff.floor(secs(5))).cap(secs(2)).full_jitter()),
        boxed(backoff.full_jitter().floor(secs(5)).floor(secs(1)).cap(secs(2))),
    ] {
        assert_eq!(first_delays(&wait), [secs(5); 4]);
    }
}

#[test]
fn the_longer_of_two_keeps_the_floor_of_both() {
    let floored = wait::fixed(secs(1)).floor(secs(5));
    // The cap leaves neither below the floor of the second, which alone would wait 5 s.
    let wait = wait::fixed(secs(10)).max(floored);
    assert_eq!(after(1, &wait), secs(10));
    assert_eq!(after(1, &wait.cap(secs(2))), secs(5));
    assert_eq!(after(1, &floored.max(wait::fixed(secs(10))).cap(secs(2))), secs(5));
}

#[test]
fn the_two_of_a_sum_wait_one_after_the_other_also_where_one_is_at_its_floor() {
    let floored = wait::fixed(secs(1)).floor(secs(5));
    assert_eq!(after(1, &(wait::fixed(secs(10)) + floored)), secs(15));
    assert_eq!(after(1, &(floored + wait::fixed(secs(10)))), secs(15));
    assert_eq!(after(1, &(floored + floored)), secs(10));
}

#[test]
fn each_side_of_a_sum_keeps_its_own_cap() {
    let wait = wait::exponential(secs(1)).cap(secs(4)) + wait::linear(secs(10), secs(10));
    assert_eq!(first_delays(&wait), [11, 22, 34, 44, 54].map(secs));
    assert_eq!(first_delays(&wait.cap(secs(30))), [11, 22, 30, 30].map(secs));
}

#[test]
fn the_longer_and_the_shorter_of_two_are_chosen_anew_each_time() {
    let (backoff, constant) = (wait::exponential(secs(1)), wait::fixed(secs(3)));
    assert_eq!(first_delays(&backoff.max(constant)), [3, 3, 4, 8].map(secs));
    assert_eq!(first_delays(&backoff.min(constant)), [1, 2, 3, 3].map(secs));
    // A closure may stand for a strategy.
    let attempt = |state: &State| secs(u64::from(state.attempt()) * 3);
    assert_eq!(first_delays(&backoff.max(attempt)), [3, 6, 9, 12, 16].map(secs));
}

#[test]
fn only_a_throttled_verdict_asks_the_other_strategy() {
    let wait = wait::fixed(secs(1)).throttled(wait::fixed(secs(9)));
    let delay = |verdict| wait.delay(&State::new(1).with_verdict(verdict)).total();
    assert_eq!(delay(Verdict::Retry), secs(1));
    assert_eq!(delay(Verdict::Ambiguous), secs(1));
    assert_eq!(delay(Verdict::Retry.throttled()), secs(9));
    assert_eq!(delay(Verdict::Ambiguous.throttled()), secs(9));
}

// Stops.

#[test]
fn reaching_a_limit_counts_as_over_it() {
    let just_below = |limit: Duration| limit.saturating_sub(Duration::from_nanos(1));
    let at = |elapsed| State::new(1).with_elapsed(elapsed);
    let limit = secs(10);

    assert!(!stop::attempts(3).stop(&State::new(2)));
    assert!(stop::attempts(3).stop(&State::new(3)));
    assert!(stop::attempts(3).stop(&State::new(4)));

    assert!(!stop::elapsed(limit).stop(&at(just_below(limit))));
    assert!(stop::elapsed(limit).stop(&at(limit)));
    // The coming delay is no concern of `elapsed`.
    assert!(!stop::elapsed(limit).stop(&at(just_below(limit)).with_delay(secs(99))));

    assert!(!stop::within(limit).stop(&at(secs(7)).with_delay(just_below(secs(3)))));
    assert!(stop::within(limit).stop(&at(secs(7)).with_delay(secs(3))));
    assert!(stop::within(limit).stop(&at(limit)));
    assert!(!stop::within(limit).stop(&at(just_below(limit))));
    assert!(stop::within(Duration::MAX).stop(&at(secs(1)).with_delay(Duration::MAX)));

    let now = Instant::now();
    let until = stop::until(now + limit);
    let now = State::new(1).with_now(now);
    assert!(!until.stop(&now));
    let now = now.with_delay(just_below(limit));
    assert!(!until.stop(&now));
    assert!(until.stop(&now.with_delay(limit)));
}

#[test]
fn a_limit_of_nothing_never_retries() {
    let first = State::new(1);
    assert!(stop::attempts(0).stop(&first));
    assert!(stop::attempts(1).stop(&first));
    assert!(stop::within(Duration::ZERO).stop(&first));
    assert!(stop::elapsed(Duration::ZERO).stop(&first));
}

#[test]
fn a_moment_in_the_past_never_retries_and_leaves_no_time() {
    let past = Instant::now();
    let state = State::new(1).with_now(past + secs(1));
    assert!(stop::until(past).stop(&state));
    assert_eq!(stop::until(past).limits(&state).remaining, Some(Duration::ZERO));
    assert!(stop::until(past).stop(&State::new(1).with_now(past)));
}

#[test]
fn without_a_clock_a_moment_gives_up_rather_than_never() {
    assert!(stop::until(Instant::now() + secs(60)).stop(&State::new(1)));
    assert_eq!(stop::until(Instant::now()).limits(&State::new(1)).remaining, None);
}

#[test]
fn of_two_times_the_shorter_is_left_with_or_and_the_longer_with_and() {
    let (short, long) = (stop::within(secs(10)), stop::elapsed(secs(30)));
    let state = State::new(1).with_elapsed(secs(4));
    let left = |seconds| Some(secs(seconds));
    assert_eq!((short | long).limits(&state).remaining, left(6));
    assert_eq!((long | short).limits(&state).remaining, left(6));
    assert_eq!((short & long).limits(&state).remaining, left(26));
    assert_eq!((long & short).limits(&state).remaining, left(26));

    // What has no limit in time bounds nothing, and outlasts everything.
    let attempts = stop::attempts(3);
    assert_eq!(attempts.limits(&state).remaining, None);
    assert_eq!((attempts | short).limits(&state).remaining, left(6));
    assert_eq!((short | attempts).limits(&state).remaining, left(6));
    assert_eq!((attempts & short).limits(&state).remaining, None);
    assert_eq!((short & attempts).limits(&state).remaining, None);

    assert_eq!(Some(short).limits(&state).remaining, left(6));
    assert_eq!(None::<stop::Within>.limits(&state).remaining, None);
    assert_eq!((long | Some(short)).limits(&state).remaining, left(6));
    assert_eq!((long | None::<stop::Within>).limits(&state).remaining, left(26));
    assert_eq!(short.limits(&state.with_elapsed(secs(11))).remaining, left(0));
}

#[test]
fn an_absent_stop_never_gives_up_and_a_present_one_as_it_would_alone() {
    let last = State::new(u32::MAX).with_elapsed(Duration::MAX);
    assert!(!None::<stop::Attempts>.stop(&last));
    assert!(!stop::Never.stop(&last));
    assert!(Some(stop::attempts(3)).stop(&State::new(3)));
    assert!(!Some(stop::attempts(3)).stop(&State::new(2)));
}
