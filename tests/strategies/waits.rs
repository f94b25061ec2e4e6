//! What every tree of wait strategies keeps to.

use super::*;
use crate::trees::{
    Asked, any_asked, any_attempt, any_duration, any_factor, any_tree, config, is_about,
};

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
