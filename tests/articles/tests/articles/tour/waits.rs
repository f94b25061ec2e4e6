//! The tour's waits, and how far jitter spreads them.

use std::io;

use retry::{record_sync, retry, retry_with};

use super::{delays, refused, reported};
use crate::secs;

#[test]
fn waits_are_fixed_random_chained_or_the_sum_of_others() {
    #[retry(stop = attempts(4), wait = fixed(3s) + random(0s..2s), on = any_error())]
    fn sum() -> io::Result<()> {
        Err(refused())
    }
    #[retry(
        stop = attempts(8),
        wait = fixed(1s).times(2).then(fixed(4s).times(2).then(fixed(8s))),
        on = any_error(),
    )]
    fn chain() -> io::Result<()> {
        Err(refused())
    }
    #[retry(stop = attempts(5), wait = sequence([1s, 2s, 3s]), on = any_error())]
    fn list() -> io::Result<()> {
        Err(refused())
    }
    #[retry(stop = attempts(4), wait = linear(1s, 2s).cap(4s), on = any_error())]
    fn steps() -> io::Result<()> {
        Err(refused())
    }
    let summed = delays(&reported(sum).1);
    assert_eq!(summed.len(), 3);
    assert!(summed.iter().all(|delay| *delay > 4.9 && *delay <= 5.0), "{summed:?}");
    assert_eq!(delays(&reported(chain).1), [1.0, 1.0, 4.0, 4.0, 8.0, 8.0, 8.0]);
    assert_eq!(delays(&reported(list).1), [1.0, 2.0, 3.0, 3.0]);
    assert_eq!(delays(&reported(steps).1), [1.0, 3.0, 4.0]);
}

/// A thousand clients before their seventh attempt, cap 8 s: how many different tenths of a second they
/// come back in. A cap over jitter gives one.
#[test]
fn jitter_spreads_a_thousand_clients_also_at_the_cap() {
    #[retry(stop = attempts(7), wait = exponential(500ms).cap(8s), on = any_error())]
    fn plain() -> io::Result<()> {
        Err(refused())
    }
    #[retry(stop = attempts(7), wait = exponential(500ms).cap(8s).full_jitter(), on = any_error())]
    fn full() -> io::Result<()> {
        Err(refused())
    }
    #[retry(stop = attempts(7), wait = exponential(500ms).full_jitter().cap(8s), on = any_error())]
    fn capped_last() -> io::Result<()> {
        Err(refused())
    }
    #[retry(stop = attempts(7), wait = exponential(500ms).cap(8s).jitter(1s), on = any_error())]
    fn added() -> io::Result<()> {
        Err(refused())
    }
    let slots = |call: fn() -> io::Result<()>| {
        let mut slots: Vec<_> = (0..1000)
            .map(|seed| {
                let calls = || retry_with().virtual_time().seed(seed).sync_scope(call);
                let last = record_sync(calls).1[0].delays().last().unwrap();
                assert!(last <= secs(9), "{last:?}");
                last.as_millis() / 100
            })
            .collect();
        slots.sort_unstable();
        slots.dedup();
        slots.len()
    };
    assert_eq!(slots(plain), 1);
    assert!(slots(full) >= 78, "{}", slots(full));
    assert!(slots(capped_last) >= 78, "{}", slots(capped_last));
    assert!((10..=11).contains(&slots(added)), "{}", slots(added));
}
