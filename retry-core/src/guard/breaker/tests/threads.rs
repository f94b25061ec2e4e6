//! Real threads.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use core::time::Duration;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use crate::guard::breaker::Breaker;
use crate::guard::breaker::state::BreakerState;

const S: Duration = Duration::from_secs(1);

#[test]
fn sixty_four_threads_at_the_half_open_edge_make_one_request() {
    const ROUNDS: u32 = 1_000;
    static BREAKER: Breaker = Breaker::consecutive(1).open_for(S).jitter_factor(0.0);
    static REQUESTS: AtomicU32 = AtomicU32::new(0);

    let start = Instant::now();
    assert!(BREAKER.admit(|| start).unwrap().failed(start).is_some());
    let barrier = Barrier::new(64);
    thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                for round in 1..=ROUNDS {
                    let now = start + round * S;
                    barrier.wait();
                    let mut probe = BREAKER.admit(|| now).ok();
                    if probe.is_some() {
                        REQUESTS.fetch_add(1, Relaxed);
                    }
                    // It fails while others are still at the edge, or after all have been there.
                    if round % 2 == 0 {
                        probe.take().map(|probe| probe.failed(now));
                    }
                    barrier.wait();
                    assert_eq!(REQUESTS.load(Relaxed), round);
                    probe.map(|probe| probe.failed(now));
                }
            });
        }
    });
    assert_eq!(REQUESTS.load(Relaxed), ROUNDS);
}

#[test]
fn a_ratio_is_reached_once_however_many_threads_fail_at_once() {
    for threads in [2, 8] {
        let breaker = Breaker::ratio(0.5).min_throughput(threads * 1_000);
        let (now, changes) = (Instant::now(), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    for _ in 0..500 {
                        if let Ok(admission) = breaker.admit(|| now) {
                            admission.succeeded(None, || now);
                        }
                    }
                    for _ in 0..500 {
                        if let Ok(admission) = breaker.admit(|| now) {
                            changes.fetch_add(admission.failed(now).is_some().into(), Relaxed);
                        }
                    }
                });
            }
        });
        assert_eq!((changes.load(Relaxed), breaker.opened()), (1, 1), "{threads}");
        assert_eq!(breaker.state(now), BreakerState::Open);
    }
}
