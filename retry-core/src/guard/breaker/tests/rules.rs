//! What each step does, by the situation.

use core::cell::Cell;
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Instant;

use crate::guard::breaker::Breaker;
use crate::guard::breaker::admission::Admission;
use crate::guard::breaker::state::BreakerState::{self, Closed, HalfOpen, Open};
use crate::guard::breaker::state::{Change, Refused};

const S: Duration = Duration::from_secs(1);

/// A breaker, and the time it is told.
struct Bench {
    breaker: Breaker,
    now: Cell<Instant>,
}

impl Bench {
    /// 10 s open, without jitter.
    fn new(breaker: Breaker) -> Self {
        let breaker = breaker.open_for(10 * S).jitter_factor(0.0);
        Self { breaker, now: Cell::new(Instant::now()) }
    }

    fn now(&self) -> Instant {
        self.now.get()
    }

    fn pass(&self, time: Duration) {
        self.now.set(self.now() + time);
    }

    fn admit(&self) -> Result<Admission<'_>, Refused> {
        self.breaker.admit(|| self.now())
    }

    fn fail(&self) -> Option<Change> {
        self.admit().unwrap().failed(self.now())
    }

    fn succeed(&self) -> Option<Change> {
        self.admit().unwrap().succeeded(None, || self.now())
    }

    fn state(&self) -> BreakerState {
        self.breaker.state(self.now())
    }
}

/// Open for ten seconds from now on.
fn open() -> Bench {
    opened(Breaker::consecutive(1))
}

fn opened(breaker: Breaker) -> Bench {
    let bench = Bench::new(breaker);
    assert_eq!(bench.fail().unwrap().to, Open);
    bench
}

fn retry_after(refused: Result<Admission<'_>, Refused>) -> Option<Duration> {
    refused.unwrap_err().retry_after
}

#[test]
fn it_opens_at_the_last_of_some_failures_in_a_row() {
    let bench = Bench::new(Breaker::consecutive(3));
    assert_eq!((bench.fail(), bench.fail()), (None, None));
    assert_eq!(bench.succeed(), None);
    assert_eq!((bench.fail(), bench.fail()), (None, None));
    assert_eq!(bench.state(), Closed);
    let change = bench.fail().unwrap();
    assert_eq!((change.from, change.to, change.open_for), (Closed, Open, Some(10 * S)));
    assert_eq!((bench.state(), bench.breaker.opened()), (Open, 1));
    assert_eq!(retry_after(bench.admit()), Some(10 * S));
}

#[test]
fn it_opens_at_a_share_of_failures_once_there_are_enough_calls() {
    let bench = Bench::new(Breaker::ratio(0.55).min_throughput(20));
    for _ in 0..10 {
        assert_eq!(bench.fail(), None);
    }
    for _ in 0..9 {
        assert_eq!(bench.succeed(), None);
    }
    assert_eq!(bench.state(), Closed);
    assert_eq!(bench.fail().unwrap().to, Open);

    let healthy = Bench::new(Breaker::ratio(0.55).min_throughput(20));
    (0..10).for_each(|_| assert_eq!(healthy.succeed(), None));
    (0..12).for_each(|_| assert_eq!(healthy.fail(), None));
    assert_eq!(healthy.fail().unwrap().to, Open);
}

#[test]
fn what_has_left_the_window_is_forgotten() {
    let bench = Bench::new(Breaker::ratio(0.5).window(10 * S).min_throughput(10));
    (0..9).for_each(|_| assert_eq!(bench.fail(), None));
    bench.pass(10 * S);
    assert_eq!(bench.fail(), None);
    // Hours without a call neither freeze it nor bring anything back.
    bench.pass(10_000 * S);
    (0..9).for_each(|_| assert_eq!(bench.fail(), None));
    assert_eq!(bench.fail().unwrap().to, Open);
}

#[test]
fn successes_count_though_nobody_reads_a_clock_for_them() {
    let bench = Bench::new(Breaker::ratio(0.5).window(10 * S).min_throughput(10));
    for _ in 0..1_000 {
        bench.succeed();
        bench.pass(S / 10);
    }
    // 90 of them are in the window; a burst of a few failures is not half of it.
    (0..89).for_each(|n| assert_eq!(bench.fail(), None, "{n}"));
    assert_eq!(bench.fail().unwrap().to, Open);
}

#[test]
fn a_closed_one_asks_for_the_time_once() {
    let bench = Bench::new(Breaker::ratio(0.5));
    bench.succeed();
    let never = || -> Instant { unreachable!("closed, and nothing has failed") };
    for _ in 0..3 {
        assert_eq!(bench.breaker.admit(never).unwrap().succeeded(None, never), None);
    }
}

#[test]
fn while_the_first_probe_is_slow_everyone_else_is_refused() {
    let bench = open();
    bench.pass(10 * S);
    assert_eq!(
        (bench.state(), bench.breaker.retry_after(bench.now())),
        (HalfOpen, Some(Duration::ZERO))
    );
    let probe = bench.admit().unwrap();
    assert!(probe.is_probe());
    assert_eq!(probe.change().unwrap().to_string(), "open -> half_open");
    // Until its lease ends.
    for wait in [10, 9, 8] {
        assert_eq!(retry_after(bench.admit()), Some(wait * S));
        assert_eq!(bench.breaker.retry_after(bench.now()), Some(wait * S));
        bench.pass(S);
    }
    let change = probe.succeeded(None, || bench.now()).unwrap();
    assert_eq!(change.to_string(), "half_open -> closed");
    let next = bench.admit().unwrap();
    assert!(!next.is_probe() && next.change().is_none());
}

#[test]
fn a_probe_that_fails_opens_it_for_another_while() {
    let bench = open();
    for _ in 0..3 {
        bench.pass(Duration::from_nanos(9_999_999_999));
        assert!(bench.admit().is_err());
        bench.pass(Duration::from_nanos(1));
        let change = bench.fail().unwrap();
        assert_eq!((change.from, change.to, change.open_for), (HalfOpen, Open, Some(10 * S)));
    }
    assert_eq!(bench.breaker.opened(), 4);
}

#[test]
fn a_cancelled_probe_frees_its_slot_and_closes_nothing() {
    let bench = open();
    bench.pass(10 * S);
    for _ in 0..5 {
        let probe = bench.admit().unwrap();
        assert!(bench.admit().is_err());
        drop(probe);
        assert_eq!((bench.state(), bench.breaker.opened()), (HalfOpen, 1));
        assert_eq!(bench.breaker.retry_after(bench.now()), Some(Duration::ZERO));
    }
    assert!(bench.admit().unwrap().is_probe());
}

#[test]
fn a_probe_that_panics_frees_its_slot() {
    let bench = open();
    bench.pass(10 * S);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _probe = bench.admit().unwrap();
        resume_unwind(Box::new(()));
    }));
    assert!(panicked.is_err());
    assert_eq!(bench.succeed().unwrap().to, Closed);
}

#[test]
fn a_cancelled_call_is_no_failure() {
    let bench = Bench::new(Breaker::consecutive(1));
    (0..10).for_each(|_| drop(bench.admit().unwrap()));
    assert_eq!(bench.state(), Closed);
}

#[test]
fn a_refusal_is_no_failure_of_the_other_side() {
    let bench = open();
    for _ in 0..100 {
        assert!(bench.admit().is_err());
    }
    assert_eq!((bench.breaker.refused(), bench.breaker.opened()), (100, 1));
    bench.pass(10 * S);
    assert_eq!(bench.succeed().unwrap().to, Closed);
}

#[test]
fn a_late_success_does_not_close_an_open_one() {
    let bench = Bench::new(Breaker::consecutive(1));
    let late = bench.admit().unwrap();
    bench.fail();
    assert_eq!(late.succeeded(None, || bench.now()), None);
    assert_eq!(bench.state(), Open);
}

#[test]
fn late_results_are_no_probes() {
    let bench = Bench::new(Breaker::consecutive(1));
    let late: Vec<_> = (0..3).map(|_| bench.admit().unwrap()).collect();
    let mut late = late.into_iter();
    let [first, second, third] = core::array::from_fn(|_| late.next().unwrap());
    bench.breaker.admit(|| bench.now()).unwrap().failed(bench.now());
    let now = bench.now() + 10 * S;
    let probe = bench.breaker.admit(|| now).unwrap();
    // Nor does one that is given back make room for another probe.
    assert_eq!(first.succeeded(None, || now), None);
    assert_eq!(second.failed(now), None);
    drop(third);
    assert!(bench.breaker.admit(|| now).is_err());
    assert_eq!(probe.succeeded(None, || now).unwrap().to, Closed);
    bench.pass(10 * S);
    assert_eq!(bench.state(), Closed);
}

#[test]
fn late_failures_do_not_open_it_again_or_for_longer() {
    let bench = Bench::new(Breaker::consecutive(1));
    let (late, later) = (bench.admit().unwrap(), bench.admit().unwrap());
    bench.fail();
    let now = bench.now() + 9 * S;
    assert_eq!(late.failed(now), None);
    assert_eq!(retry_after(bench.breaker.admit(|| now)), Some(S));
    let now = now + S;
    assert_eq!(bench.breaker.admit(|| now).unwrap().succeeded(None, || now).unwrap().to, Closed);
    assert_eq!(later.failed(now), None);
    assert_eq!((bench.breaker.state(now), bench.breaker.opened()), (Closed, 1));
}

#[test]
fn a_probe_of_an_earlier_round_says_nothing_in_a_later_one() {
    let bench = opened(Breaker::consecutive(1).probes(2).probe_ratio(0.5));
    bench.pass(10 * S);
    let now = bench.now();
    let early = bench.admit().unwrap();
    assert_eq!(bench.admit().unwrap().failed(now).unwrap().to, Open);
    let now = now + 10 * S;
    let probe = bench.breaker.admit(|| now).unwrap();
    assert_eq!(early.succeeded(None, || now), None);
    let second = bench.breaker.admit(|| now).unwrap();
    assert!(bench.breaker.admit(|| now).is_err());
    assert_eq!(probe.succeeded(None, || now), None);
    assert_eq!(second.succeeded(None, || now).unwrap().to, Closed);
}

#[test]
fn one_flaky_probe_of_a_mostly_recovered_service_does_not_restart_the_break() {
    let bench = opened(Breaker::consecutive(1).probes(5));
    bench.pass(10 * S);
    assert_eq!((bench.fail(), bench.succeed(), bench.succeed()), (None, None, None));
    assert_eq!(bench.succeed().unwrap().to, Closed);
}

#[test]
fn exactly_as_many_probes_as_it_was_told() {
    let bench = opened(Breaker::consecutive(1).probes(3));
    bench.pass(10 * S);
    let mut probes: Vec<_> = (0..3).map(|_| bench.admit().unwrap()).collect();
    assert!(probes.iter().all(Admission::is_probe));
    assert_eq!(probes.iter().filter(|probe| probe.change().is_some()).count(), 1);
    assert!(bench.admit().is_err());
    // One that has ended makes no room for a fourth.
    assert_eq!(probes.pop().unwrap().succeeded(None, || bench.now()), None);
    assert!(bench.admit().is_err());
    assert_eq!(probes.pop().unwrap().succeeded(None, || bench.now()).unwrap().to, Closed);
}

#[test]
fn a_probe_that_hangs_is_taken_over_when_its_lease_ends() {
    let bench = opened(Breaker::consecutive(1).lease(3 * S));
    let at = |seconds| bench.now() + seconds * S;
    let hung = bench.breaker.admit(|| at(10)).unwrap();
    assert_eq!(retry_after(bench.breaker.admit(|| at(12))), Some(S));
    let next = bench.breaker.admit(|| at(13)).unwrap();
    assert!(next.is_probe());
    assert_eq!(hung.failed(at(14)), None);
    assert!(bench.breaker.admit(|| at(14)).is_err());
    assert_eq!(next.succeeded(None, || at(15)).unwrap().to, Closed);
}

#[test]
fn a_retry_is_never_a_probe() {
    let bench = Bench::new(Breaker::consecutive(1));
    assert!(!bench.breaker.admit_retry(bench.now()).unwrap().is_probe());
    bench.fail();
    assert_eq!(retry_after(bench.breaker.admit_retry(bench.now())), Some(10 * S));
    bench.pass(10 * S);
    assert_eq!(retry_after(bench.breaker.admit_retry(bench.now())), Some(Duration::ZERO));
    let probe = bench.admit().unwrap();
    assert!(bench.breaker.admit_retry(bench.now()).is_err());
    probe.succeeded(None, || bench.now());
    assert!(bench.breaker.admit_retry(bench.now()).is_ok());
}

#[test]
fn slow_answers_count_as_failures() {
    let bench = Bench::new(Breaker::consecutive(2).slow_after(2 * S));
    let answer = |took| bench.admit().unwrap().succeeded(took, || bench.now());
    assert!(bench.breaker.measures());
    assert_eq!(answer(Some(2 * S)), None);
    // In time, or not measured.
    assert_eq!(answer(Some(Duration::from_nanos(1_999_999_999))), None);
    assert_eq!(answer(Some(2 * S)), None);
    assert_eq!(answer(None), None);
    assert_eq!(answer(Some(3 * S)), None);
    assert_eq!(answer(Some(2 * S)).unwrap().to, Open);
    bench.pass(10 * S);
    let probe = bench.admit().unwrap();
    assert_eq!(probe.succeeded(Some(2 * S), || bench.now()).unwrap().to, Open);
}

#[test]
fn the_open_time_grows_round_by_round_and_starts_over_when_it_closes() {
    let bench = opened(Breaker::consecutive(1).factor(2.0).cap(35 * S));
    for seconds in [10, 20, 35, 35] {
        assert_eq!(retry_after(bench.admit()), Some(seconds * S));
        bench.pass(seconds * S);
        bench.fail();
    }
    bench.pass(35 * S);
    bench.succeed();
    assert_eq!(bench.fail().unwrap().open_for, Some(10 * S));
}

#[test]
fn jitter_spreads_the_open_times_within_its_share() {
    let bench = Bench::new(Breaker::consecutive(1));
    for (random, seconds) in [(0.0, 5), (1.0, 10)] {
        let breaker = Breaker::consecutive(1).open_for(10 * S).jitter_factor(0.5);
        let admission = breaker.admit(|| bench.now()).unwrap();
        let change = admission.ended(true, None, || bench.now(), || random).unwrap();
        assert_eq!(change.open_for, Some(seconds * S));
    }
    let times: std::collections::BTreeSet<_> = (0..50)
        .map(|_| {
            let breaker = Breaker::consecutive(1).open_for(10 * S);
            let admission = breaker.admit(|| bench.now()).unwrap();
            admission.failed(bench.now()).unwrap().open_for.unwrap()
        })
        .collect();
    assert!(times.len() > 40 && times.iter().all(|&time| time >= 9 * S && time <= 10 * S));
}

#[test]
fn opened_by_hand_it_stays_open_until_closed_by_hand() {
    let bench = Bench::new(Breaker::consecutive(1));
    assert_eq!(bench.breaker.open().unwrap().to_string(), "closed -> open");
    assert_eq!(bench.breaker.open(), None);
    bench.pass(1_000_000 * S);
    assert_eq!((bench.state(), bench.breaker.retry_after(bench.now())), (Open, None));
    let refused = bench.admit().unwrap_err();
    assert_eq!(refused.to_string(), "the breaker is held open");
    assert_eq!(bench.breaker.close().unwrap().to_string(), "open -> closed");
    assert_eq!((bench.breaker.close(), bench.state()), (None, Closed));
    assert_eq!((bench.succeed(), bench.breaker.opened()), (None, 1));
}

#[test]
fn closed_by_hand_it_forgets_what_it_has_counted() {
    for breaker in [Breaker::consecutive(3), Breaker::ratio(0.5).min_throughput(3)] {
        let bench = Bench::new(breaker);
        for _ in 0..5 {
            assert_eq!((bench.fail(), bench.fail()), (None, None));
            let late = bench.admit().unwrap();
            bench.breaker.close();
            assert_eq!(late.failed(bench.now()), None);
        }
        bench.pass(S);
        assert_eq!((bench.fail(), bench.fail()), (None, None));
        assert_eq!(bench.fail().unwrap().to, Open);
        // An open one by hand as well: the probe that is out has no say any more.
        bench.pass(10 * S);
        let probe = bench.admit().unwrap();
        bench.breaker.close();
        assert_eq!(probe.failed(bench.now()), None);
        assert_eq!(bench.state(), Closed);
    }
}

#[test]
fn a_probe_that_closes_it_forgets_what_it_had_counted() {
    let bench = Bench::new(Breaker::ratio(0.5).min_throughput(4).window(100 * S));
    (0..3).for_each(|_| assert_eq!(bench.fail(), None));
    assert_eq!(bench.fail().unwrap().to, Open);
    bench.pass(10 * S);
    assert_eq!(bench.succeed().unwrap().to, Closed);
    (0..3).for_each(|_| assert_eq!(bench.fail(), None));
    assert_eq!(bench.fail().unwrap().to, Open);
}

#[test]
fn it_still_opens_after_a_week_of_probes() {
    let bench = open();
    for _ in 0..60_000 {
        bench.pass(10 * S);
        assert_eq!(bench.fail().unwrap().to, Open);
    }
    bench.pass(10 * S);
    assert_eq!(bench.succeed().unwrap().to, Closed);
    assert_eq!(bench.fail().unwrap().to, Open);
}

#[test]
fn times_before_the_first_one_do_no_harm() {
    let bench = open();
    let earlier = bench.now().checked_sub(S).unwrap();
    assert_eq!(retry_after(bench.breaker.admit(|| earlier)), Some(10 * S));
    let later = bench.now() + 10 * S;
    let probe = bench.breaker.admit(|| later).unwrap();
    assert_eq!(probe.failed(earlier).unwrap().open_for, Some(10 * S));
    assert_eq!(bench.breaker.state(later), HalfOpen);
}

#[test]
fn settings_outside_of_their_range_are_harmless() {
    let now = Instant::now();
    let zeros = Breaker::consecutive(0)
        .open_for(Duration::ZERO)
        .cap(Duration::ZERO)
        .factor(f64::NAN)
        .jitter_factor(f64::NAN)
        .probes(0)
        .probe_ratio(f64::NAN)
        .lease(Duration::ZERO)
        .slow_after(Duration::ZERO);
    assert!(!zeros.measures());
    let change = zeros.admit(|| now).unwrap().failed(now).unwrap();
    assert_eq!(change.open_for, Some(Duration::ZERO));
    let probe = zeros.admit(|| now).unwrap();
    assert!(probe.is_probe() && zeros.admit(|| now).is_err());
    assert_eq!(probe.succeeded(Some(Duration::MAX), || now).unwrap().to, Closed);

    let most = Breaker::ratio(f64::INFINITY)
        .window(Duration::MAX)
        .min_throughput(0)
        .open_for(Duration::MAX)
        .cap(Duration::MAX)
        .factor(f64::INFINITY)
        .jitter_factor(f64::INFINITY)
        .probes(u32::MAX)
        .lease(Duration::MAX);
    assert_eq!(most.admit(|| now).unwrap().ended(true, None, || now, || 1.0).unwrap().to, Open);
    assert!(most.admit(|| now + 1_000_000 * S).is_err());
    assert!(most.retry_after(now) > Some(1_000_000 * S));

    let empty = Breaker::ratio(-1.0).window(Duration::ZERO).min_throughput(0);
    assert_eq!(empty.admit(|| now).unwrap().failed(now).unwrap().to, Open);
}

#[test]
fn it_can_be_read() {
    let bench = Bench::new(Breaker::consecutive(5));
    assert_eq!(bench.breaker.to_string(), "closed, opened 0 times, 0 refused");
    bench.breaker.open();
    assert!(bench.admit().is_err());
    assert_eq!(bench.breaker.to_string(), "open, opened 1 time, 1 refused");
    assert_eq!(
        format!("{:?}", bench.breaker),
        "Breaker { state: Open, generation: 1, opened: 1, refused: 1, settings: Settings { trips: \
         Consecutive(5), open_for: 10s, factor: 1.0, cap: 600s, jitter_factor: 0.0, probes: 1, \
         probe_ratio: 0.5, lease: 10s }, .. }"
    );
    let ratio = format!("{:?}", Breaker::ratio(0.25).slow_after(S));
    assert!(ratio.contains("trips: Ratio(0.25), window: 30s, min_throughput: 20, slow_after: 1s"));
    let open = open();
    let change = Change { from: Closed, to: Open, open_for: Some(10 * S) };
    assert_eq!(change.to_string(), "closed -> open for 10s");
    let refused = open.admit().unwrap_err();
    assert_eq!(refused.to_string(), "the breaker is open, for 10s at least");
    let closed = Bench::new(Breaker::consecutive(1));
    let admission = format!("{:?}", closed.admit().unwrap());
    assert_eq!(admission, "Admission { generation: 0, is_probe: false, .. }");
}
