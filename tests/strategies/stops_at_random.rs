//! Random trees of stop strategies.

use super::*;
use crate::trees::{any_attempt, any_duration, config};

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
