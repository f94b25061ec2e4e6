//! Random trees of wait strategies, and what bounds them.

use super::*;

/// A wait strategy as a description: what to build, and what may be expected of it.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    None,
    Fixed(Duration),
    Linear(Duration, Duration),
    Exponential(Duration, f64),
    Fibonacci(Duration),
    Random(Duration, Duration),
    Decorrelated(Duration, Duration, f64),
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
    pub(crate) fn build(&self) -> Box<dyn Wait> {
        match self {
            Self::None => boxed(wait::none()),
            Self::Fixed(delay) => boxed(wait::fixed(*delay)),
            Self::Linear(start, step) => boxed(wait::linear(*start, *step)),
            Self::Exponential(base, factor) => boxed(wait::exponential(*base).factor(*factor)),
            Self::Fibonacci(base) => boxed(wait::fibonacci(*base)),
            Self::Random(start, end) => boxed(wait::random(*start..*end)),
            Self::Decorrelated(base, cap, factor) => {
                boxed(wait::decorrelated(*base, *cap).factor(*factor))
            }
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
    pub(crate) fn bounds(&self, attempt: u32, throttled: bool) -> Bounds {
        let of = |tree: &Self| tree.bounds(attempt, throttled);
        match self {
            Self::None => Bounds::up_to(Duration::ZERO),
            Self::Fixed(delay) | Self::By(delay) => Bounds::up_to(*delay),
            Self::Linear(start, step) => {
                Bounds::up_to(start.saturating_add(step.saturating_mul(attempt - 1)))
            }
            // How fast they grow is the business of other tests; here they are endless.
            Self::Exponential(..) | Self::Fibonacci(_) => Bounds::up_to(Duration::MAX),
            Self::Random(a, b) | Self::Decorrelated(a, b, _) => Bounds::up_to(*a.max(b)),
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
pub(crate) struct Bounds {
    /// Of its value.
    pub(crate) most: Duration,
    /// Of its additive jitter.
    pub(crate) extra: Duration,
    /// Of its floor, from below: the tree waits that long at least.
    pub(crate) least: Duration,
    /// Of its floor, from above: how far it may lift the delay over the cap.
    pub(crate) lifted: Duration,
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
    pub(crate) fn total(self) -> RangeInclusive<Duration> {
        self.least..=self.most.saturating_add(self.extra).max(self.lifted)
    }
}

pub(crate) fn any_duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        4 => (0..20_000_u64).prop_map(ms),
        2 => (0..2_000_u64).prop_map(Duration::from_nanos),
        1 => (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(s, ns)| Duration::new(s, ns)),
        1 => Just(Duration::ZERO),
        1 => Just(Duration::MAX),
    ]
}

pub(crate) fn any_factor() -> impl Strategy<Value = f64> {
    let special = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -0.0, 0.0, 1.0];
    prop_oneof![
        4 => 0.0..4.0_f64,
        1 => prop::num::f64::ANY,
        2 => prop::sample::select(special),
    ]
}

pub(crate) fn any_attempt() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 1..20_u32, 2 => 1..=u32::MAX, 1 => Just(u32::MAX)]
}

pub(crate) fn any_tree() -> impl Strategy<Value = Tree> {
    let duration = any_duration;
    let leaf = prop_oneof![
        Just(Tree::None),
        duration().prop_map(Tree::Fixed),
        (duration(), duration()).prop_map(|(a, b)| Tree::Linear(a, b)),
        (duration(), any_factor()).prop_map(|(base, factor)| Tree::Exponential(base, factor)),
        duration().prop_map(Tree::Fibonacci),
        (duration(), duration()).prop_map(|(a, b)| Tree::Random(a, b)),
        (duration(), duration(), any_factor()).prop_map(|(a, b, f)| Tree::Decorrelated(a, b, f)),
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
pub(crate) struct Asked {
    pub(crate) attempt: u32,
    pub(crate) throttled: bool,
    pub(crate) seed: u64,
}

impl Asked {
    pub(crate) fn state(self) -> State {
        let verdict = if self.throttled { Verdict::Retry.throttled() } else { Verdict::Retry };
        State::new(self.attempt).with_verdict(verdict).seeded(self.seed)
    }
}

pub(crate) fn any_asked() -> impl Strategy<Value = Asked> {
    let parts = (any_attempt(), any::<bool>(), any::<u64>());
    parts.prop_map(|(attempt, throttled, seed)| Asked { attempt, throttled, seed })
}

/// Equal but for rounding to nanoseconds and the 53 bits of a factor.
pub(crate) fn is_about(a: Duration, b: Duration) -> bool {
    a.abs_diff(b).as_secs_f64() <= 3e-9 + 1e-12 * a.max(b).as_secs_f64()
}

pub(crate) fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    // `PROPTEST_CASES` asks for more. A failure prints the shrunken case; files of old ones would
    // only collect.
    ProptestConfig { cases: default.cases.max(500), failure_persistence: None, ..default }
}
