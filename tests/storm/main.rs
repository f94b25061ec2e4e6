//! Many calls at once: no two of them mix, and what is counted is what they report.

#![allow(clippy::unwrap_used, clippy::panic)] // a test reports by panicking
// A function stands beside what it is asked.
#![allow(clippy::items_after_statements)]
#![allow(missing_docs)]

use std::array;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, pending, poll_fn};
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use futures::FutureExt;
use futures::future::join_all;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use retry::{
    Mark, PastAttempt, Report, RetryError, SiteStats, StopReason, Transient, Verdict, record,
    retry, retry_with, sites,
};
use tokio::runtime::Builder;
use tokio::sync::Barrier;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Busy(u32, Verdict);

impl Transient for Busy {
    fn verdict(&self) -> Verdict {
        self.1
    }
}

/// Runs a future where time passes only by sleeping, and then at once.
fn paused<T>(future: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.unwrap().block_on(future)
}

mod crowd {
    use super::*;

    const CALLS: u32 = 10_000;
    const MOST: u32 = 5;

    // The number of a call decides how often it fails, with what, and how long each delay is.

    fn failures(number: u32) -> u32 {
        number % 7
    }

    fn delay(number: u32, attempt: u32) -> Duration {
        Duration::from_secs(u64::from(attempt)) + Duration::from_nanos(number.into())
    }

    fn verdict(number: u32, attempt: u32) -> Verdict {
        let is_throttled = (number + attempt) % 3 == 0;
        if is_throttled { Verdict::Retry.throttled() } else { Verdict::Retry }
    }

    #[retry(
        stop = attempts(MOST),
        wait = by(|state: &retry::State| delay(number, state.attempt())),
        on_success = |report, _| told.lock().unwrap().push(report.clone()),
        on_give_up = |report, _| told.lock().unwrap().push(report.clone()),
    )]
    async fn call(
        number: u32,
        all_here: &Barrier,
        told: &Mutex<Vec<Report>>,
    ) -> Result<u32, RetryError<Busy>> {
        let attempt = retry::current().unwrap().number();
        if attempt == 1 {
            all_here.wait().await;
        }
        // So that the other calls, and maybe another thread, have a turn in the middle of it.
        tokio::task::yield_now().await;
        assert_eq!(retry::current().unwrap().number(), attempt);
        if attempt <= failures(number) {
            return Err(Busy(number, verdict(number, attempt)));
        }
        Ok(number)
    }

    fn assert_exact(number: u32, report: &Report) {
        let failures = failures(number);
        let attempts = (failures + 1).min(MOST);
        let is_success = failures < MOST;
        assert_eq!((report.attempts(), report.is_success()), (attempts, is_success), "{number}");
        assert_eq!(report.history().len(), attempts as usize, "{number}");
        for (attempt, past) in (1..).zip(report.history()) {
            assert_eq!(past.number(), attempt, "{number}");
            let (verdict, delay) = if attempt < attempts {
                (verdict(number, attempt), Some(delay(number, attempt)))
            } else if is_success {
                (Verdict::Final, None)
            } else {
                (verdict(number, attempt), None)
            };
            assert_eq!((past.verdict(), past.delay()), (verdict, delay), "{number}");
        }
        let waited = (1..attempts).map(|attempt| delay(number, attempt)).sum();
        assert_eq!(report.waited(), waited, "{number}");
        let took: Duration = report.history().iter().filter_map(PastAttempt::duration).sum();
        assert!(report.elapsed().unwrap() >= waited + took, "{number}");
    }

    #[test]
    fn ten_thousand_calls_of_one_function_at_once_report_each_their_own() {
        let runtime = Builder::new_multi_thread().worker_threads(4).enable_time().build().unwrap();
        let all_here = Arc::new(Barrier::new(CALLS as usize));
        let calls: Vec<_> = (0..CALLS)
            .map(|number| {
                let all_here = Arc::clone(&all_here);
                runtime.spawn(async move {
                    let told = Mutex::default();
                    let run = retry_with().virtual_time().scope(call(number, &all_here, &told));
                    let (outcome, reports) = record(run).await;
                    (outcome, reports, told.into_inner().unwrap())
                })
            })
            .collect();
        let mut waited = Duration::ZERO;
        for (number, call) in (0..).zip(calls) {
            let (outcome, reports, told) = runtime.block_on(call).unwrap();
            let [report] = reports.as_slice() else { panic!("{} reports", reports.len()) };
            assert_exact(number, report);
            assert_eq!(told, reports);
            waited += report.waited();
            match outcome {
                Ok(answer) => assert_eq!(answer, number),
                Err(error) => {
                    assert_eq!(error.history, report.history());
                    assert_eq!((error.reason, error.attempts), (StopReason::Attempts, MOST));
                    assert_eq!(error.elapsed, report.elapsed());
                    assert_eq!(error.source.unwrap().0, number);
                }
            }
        }
        let sites = sites();
        let site = sites.get("storm::crowd::call").unwrap();
        let failing = |fits: fn(&u32) -> bool| (0..CALLS).map(failures).filter(fits).count() as u64;
        assert_eq!(site.calls(), u64::from(CALLS));
        assert_eq!(site.first_try(), failing(|n: &u32| *n == 0));
        assert_eq!(site.recovered(), failing(|n: &u32| (1..MOST).contains(n)));
        assert_eq!(site.given_up_for(StopReason::Attempts), failing(|n: &u32| *n >= MOST));
        let retries = (0..CALLS).map(|number| failures(number).min(MOST - 1));
        assert_eq!(site.retries(), u64::from(retries.sum::<u32>()));
        assert_eq!(site.waited(), waited);
    }
}

/// What is counted of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Count {
    first_try: u64,
    recovered: u64,
    given_up: BTreeMap<&'static str, u64>,
    cancelled: u64,
    panicked: u64,
    disabled: u64,
    retries: u64,
    waited: Duration,
}

impl Count {
    /// What the library has counted since it was asked last.
    fn of(name: &str, before: Option<&SiteStats>) -> (Self, Option<SiteStats>) {
        let now = sites().get(name).cloned();
        let Some(site) = &now else { return (Self::default(), now) };
        let since = |count: fn(&SiteStats) -> u64| count(site) - before.map_or(0, count);
        let given_up = StopReason::ALL.iter().filter_map(|&reason| {
            let count = |site: &SiteStats| site.given_up_for(reason);
            let count = count(site) - before.map_or(0, count);
            (count > 0).then_some((reason.as_str(), count))
        });
        let count = Self {
            first_try: since(SiteStats::first_try),
            recovered: since(SiteStats::recovered),
            given_up: given_up.collect(),
            cancelled: since(SiteStats::cancelled),
            panicked: since(SiteStats::panicked),
            disabled: since(SiteStats::disabled),
            retries: since(SiteStats::retries),
            waited: site.waited().saturating_sub(before.map_or(Duration::ZERO, SiteStats::waited)),
        };
        assert_eq!(since(SiteStats::calls), count.calls());
        assert_eq!(since(SiteStats::attempts), count.calls() + count.retries);
        (count, now)
    }

    fn calls(&self) -> u64 {
        let given_up: u64 = self.given_up.values().sum();
        self.first_try + self.recovered + given_up + self.cancelled + self.panicked + self.disabled
    }

    fn add(&mut self, report: &Report) {
        match report.reason() {
            StopReason::Success if report.attempts() == 1 => self.first_try += 1,
            StopReason::Success => self.recovered += 1,
            StopReason::Cancelled => self.cancelled += 1,
            StopReason::Disabled => self.disabled += 1,
            reason => *self.given_up.entry(reason.as_str()).or_default() += 1,
        }
        self.retries += u64::from(report.attempts()) - 1;
        self.waited += report.waited();
    }

    /// A call that panicked has no report.
    fn add_panicked(&mut self, tally: &Tally) {
        self.panicked += 1;
        self.retries += u64::from(tally.attempts.get()) - 1;
        self.waited += tally.waited.get();
    }
}

/// What the body of a call has seen of it.
#[derive(Debug, Default)]
struct Tally {
    attempts: Cell<u32>,
    waited: Cell<Duration>,
}

mod random {
    use super::*;

    const NAMES: [&str; 6] = [
        "storm::random::plain",
        "storm::random::watched",
        "storm::random::async_plain",
        "storm::random::async_watched",
        "a block in a storm",
        "storm::random::outer",
    ];

    #[derive(Clone, Copy, Debug)]
    enum Meaning {
        Final,
        Retry,
        Ambiguous,
        Now,
        Hint,
        LongHint,
    }

    impl Meaning {
        const ALL: [Self; 6] =
            [Self::Retry, Self::Final, Self::Ambiguous, Self::Now, Self::Hint, Self::LongHint];

        fn verdict(self) -> Verdict {
            match self {
                Self::Final => Verdict::Final,
                Self::Retry => Verdict::Retry,
                Self::Ambiguous => Verdict::Ambiguous,
                Self::Now => Verdict::Retry.now(),
                Self::Hint => Verdict::Retry.retry_after(ms(13)),
                Self::LongHint => Verdict::Ambiguous.retry_after(ms(9_000)),
            }
        }
    }

    /// What one attempt does.
    #[derive(Clone, Copy, Debug)]
    enum Step {
        Succeed,
        Fail(Meaning),
        /// Fails, and says something else with a mark.
        Mark(Meaning),
        /// Succeeds or fails, and says itself what that means.
        Overrule(bool, Meaning),
        /// Fails after it has got somewhere.
        Progress,
        Panic,
        /// Fails, and the wait strategy panics.
        PanicInWait,
        /// Fails, and the strategy of the user's own says to stop.
        Stop,
    }

    #[derive(Clone, Copy, Debug)]
    enum Cancel {
        Never,
        /// By another branch of a `select!`, at this millisecond.
        At(u64),
        /// By a drop after so many polls.
        AfterPolls(u32),
    }

    #[derive(Clone, Debug)]
    struct Plan {
        function: usize,
        /// Success after the last of them.
        steps: Vec<Step>,
        enabled: bool,
        idempotent: bool,
        /// The attempt that the gate does not let through.
        gate: u32,
        /// How long an async attempt takes.
        takes: u64,
        cancel: Cancel,
    }

    fn plans() -> impl Strategy<Value = Vec<Plan>> {
        let meaning = || proptest::sample::select(&Meaning::ALL[..]);
        let step = prop_oneof![
            2 => Just(Step::Succeed),
            8 => Just(Step::Fail(Meaning::Retry)),
            4 => meaning().prop_map(Step::Fail),
            2 => meaning().prop_map(Step::Mark),
            2 => (any::<bool>(), meaning()).prop_map(|(success, m)| Step::Overrule(success, m)),
            1 => Just(Step::Progress),
            1 => Just(Step::Panic),
            1 => Just(Step::PanicInWait),
            1 => Just(Step::Stop),
        ];
        let cancel = prop_oneof![
            3 => Just(Cancel::Never),
            2 => (0..60_u64).prop_map(Cancel::At),
            1 => (0..6_u32).prop_map(Cancel::AfterPolls),
        ];
        let plan = (
            0..NAMES.len(),
            proptest::collection::vec(step, 0..6),
            proptest::bool::weighted(0.9),
            any::<bool>(),
            prop_oneof![3 => Just(u32::MAX), 1 => 2..5_u32],
            0..4_u64,
            cancel,
        )
            .prop_map(|(function, steps, enabled, idempotent, gate, takes, cancel)| Plan {
                function,
                steps,
                enabled,
                idempotent,
                gate,
                takes,
                cancel,
            });
        proptest::collection::vec(plan, 1..40)
    }

    /// One call of a plan, and where those that panic are noted.
    struct Call<'a> {
        plan: &'a Plan,
        tally: Tally,
        panicked: &'a RefCell<[Count; NAMES.len()]>,
        /// What the hooks at the end were told.
        told: RefCell<Vec<Report>>,
    }

    impl<'a> Call<'a> {
        fn new(plan: &'a Plan, panicked: &'a RefCell<[Count; NAMES.len()]>) -> Self {
            Self { plan, tally: Tally::default(), panicked, told: RefCell::default() }
        }

        fn step(&self, attempt: u32) -> Step {
            let index = attempt as usize - 1;
            self.plan.steps.get(index).copied().unwrap_or(Step::Succeed)
        }

        fn start(&self) {
            let current = retry::current().unwrap();
            self.tally.attempts.set(self.tally.attempts.get() + 1);
            assert_eq!(current.number(), self.tally.attempts.get());
            let waited = self.tally.waited.get() + current.previous_delay().unwrap_or_default();
            self.tally.waited.set(waited);
        }

        fn finish(&self) -> Result<u32, Busy> {
            let current = retry::current().unwrap();
            let number = current.number();
            let fail = |meaning: Meaning| Err(Busy(number, meaning.verdict()));
            match self.step(number) {
                Step::Succeed => Ok(number),
                Step::Fail(meaning) => fail(meaning),
                Step::Mark(Meaning::Final) => fail(Meaning::Retry).permanent(),
                Step::Mark(Meaning::Retry) => fail(Meaning::Final).transient(),
                Step::Mark(Meaning::Ambiguous) => fail(Meaning::Retry).ambiguous(),
                Step::Mark(Meaning::Now) => fail(Meaning::Final).now(),
                Step::Mark(Meaning::Hint) => fail(Meaning::Final).retry_after(ms(17)),
                Step::Mark(Meaning::LongHint) => fail(Meaning::Retry).retry_after(ms(9_000)),
                Step::Overrule(success, meaning) => {
                    current.overrule(meaning.verdict());
                    if success { Ok(number) } else { fail(Meaning::Retry) }
                }
                Step::Progress => {
                    current.progress();
                    fail(Meaning::Retry)
                }
                Step::Panic => resume_unwind(Box::new("a planned panic")),
                Step::PanicInWait | Step::Stop => fail(Meaning::Retry),
            }
        }

        fn delay(&self, wait: u32) -> Duration {
            if let Step::PanicInWait = self.step(self.tally.attempts.get()) {
                resume_unwind(Box::new("a planned panic"));
            }
            ms(5 * u64::from(wait))
        }

        fn stops(&self) -> bool {
            matches!(self.step(self.tally.attempts.get()), Step::Stop)
        }

        fn tell(&self, report: &Report) {
            self.told.borrow_mut().push(report.clone());
        }

        fn note_panic(&self, function: usize) {
            self.panicked.borrow_mut()[function].add_panicked(&self.tally);
        }
    }

    macro_rules! function {
        ($([$async:ident])? $name:ident($call:ident) -> $output:ty $body:block $($keys:tt)*) => {
            #[retry(
                stop = (|_| $call.stops()) | attempts(4) | within(70ms),
                wait = by(|state: &retry::State| $call.delay(state.attempt())),
                idempotent = $call.plan.idempotent,
                max_hint = 5s,
                $($keys)*
            )]
            $($async)? fn $name($call: &Call<'_>) -> $output $body
        };
    }

    function!(plain(call) -> Result<u32, Busy> {
        call.start();
        call.finish()
    });
    function!(watched(call) -> Result<u32, RetryError<Busy>> {
        call.start();
        call.finish()
    }
        enabled = call.plan.enabled,
        gate = |attempt| attempt.number() < call.plan.gate,
        on_success = |report, _| call.tell(report),
        on_give_up = |report, _| call.tell(report),
        fallback = |_, outcome| outcome.or(Ok(0)),
    );
    function!([async] async_plain(call) -> Result<u32, Busy> {
        call.start();
        tokio::time::sleep(ms(call.plan.takes)).await;
        call.finish()
    });
    function!([async] async_watched(call) -> Result<u32, RetryError<Busy>> {
        call.start();
        tokio::time::sleep(ms(call.plan.takes)).await;
        call.finish()
    }
        enabled = call.plan.enabled,
        gate = async |attempt| attempt.number() < call.plan.gate,
        on_success = |report, _| call.tell(report),
        on_give_up = async |report, _| call.tell(report),
        fallback = |_, outcome| outcome.or(Ok(0)),
    );
    function!([async] outer(call) -> Result<u32, Busy> {
        call.start();
        let inner = Call::new(call.plan, call.panicked);
        guarded(2, &inner, async { drop(async_plain(&inner).await) }).await;
        call.finish()
    });

    async fn block(call: &Call<'_>) {
        let _ = retry::block!(
            stop = (|_| call.stops()) | attempts(4) | within(70ms),
            wait = by(|state: &retry::State| call.delay(state.attempt())),
            name = "a block in a storm",
            async || -> Result<u32, Busy> {
                call.start();
                tokio::time::sleep(ms(call.plan.takes)).await;
                call.finish()
            }
        );
    }

    /// Notes a panic on its way.
    async fn guarded(function: usize, call: &Call<'_>, run: impl Future<Output = ()>) {
        if let Err(panic) = AssertUnwindSafe(run).catch_unwind().await {
            call.note_panic(function);
            resume_unwind(panic);
        }
    }

    /// Runs a plan, cancels it where it says so, and ends its panic here.
    async fn run(plan: &Plan, panicked: &RefCell<[Count; NAMES.len()]>) {
        let call = Call::new(plan, panicked);
        let run = async {
            match plan.function {
                0 => drop(plain(&call)),
                1 => drop(watched(&call)),
                2 => drop(async_plain(&call).await),
                3 => drop(async_watched(&call).await),
                4 => block(&call).await,
                _ => drop(outer(&call).await),
            }
        };
        // Some functions have no key for it.
        let run = retry_with().enabled(plan.enabled).scope(run);
        // Sync sleeps are real.
        let run: futures::future::LocalBoxFuture<'_, ()> = match plan.function {
            0 | 1 => Box::pin(retry_with().virtual_time().scope(run)),
            _ => Box::pin(run),
        };
        let run = AssertUnwindSafe(guarded(plan.function, &call, run)).catch_unwind();
        let ((), reports) = match plan.cancel {
            Cancel::Never => record(async { drop(run.await) }).await,
            Cancel::At(time) => {
                let cancelled = async {
                    tokio::select! {
                        biased;
                        () = tokio::time::sleep(ms(time)) => {}
                        ended = run => drop(ended),
                    }
                };
                record(cancelled).await
            }
            Cancel::AfterPolls(polls) => record(polled(run, polls)).await,
        };
        // The body and the report have seen the same call.
        if let Some(report) = reports.iter().rfind(|r| r.name() == NAMES[plan.function]) {
            assert_eq!(report.attempts(), call.tally.attempts.get());
            let paused_in_vain = match report.history().last() {
                Some(last) if report.reason() == StopReason::Gate => last.delay().unwrap(),
                _ => Duration::ZERO,
            };
            assert_eq!(report.waited(), call.tally.waited.get() + paused_in_vain);
            let told = call.told.borrow();
            assert!(told.is_empty() || *told == [report.clone()]);
        }
    }

    /// Polls so many times, and drops what is not done by then.
    async fn polled(run: impl Future, polls: u32) {
        let mut left = polls;
        let mut run = pin!(run);
        poll_fn(|cx| {
            if left == 0 {
                return Poll::Ready(());
            }
            left -= 1;
            if run.as_mut().poll(cx).is_ready() {
                return Poll::Ready(());
            }
            // The next poll comes when the call asks for one; the last is not waited for.
            if left == 0 { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    fn recount(plans: &[Plan]) -> [Count; NAMES.len()] {
        let panicked = RefCell::default();
        let all = join_all(plans.iter().map(|plan| run(plan, &panicked)));
        let (_, reports) = paused(record(all));
        let mut counts = panicked.into_inner();
        for report in &reports {
            let function = NAMES.iter().position(|name| *name == report.name()).unwrap();
            counts[function].add(report);
        }
        counts
    }

    fn counted(before: &[Option<SiteStats>; NAMES.len()]) -> [Count; NAMES.len()] {
        array::from_fn(|index| Count::of(NAMES[index], before[index].as_ref()).0)
    }

    #[test]
    fn what_is_counted_in_a_storm_is_what_the_calls_report() {
        let mut runner = TestRunner::new(Config { cases: 200, ..Config::default() });
        let begun = NAMES.map(|name| Count::of(name, None).1);
        let storm = runner.run(&plans(), |plans| {
            let before = NAMES.map(|name| Count::of(name, None).1);
            let recounted = recount(&plans);
            prop_assert_eq!(counted(&before), recounted);
            Ok(())
        });
        storm.unwrap();
        // Every kind of end was among them, so none has been compared with nothing.
        let mut ends = BTreeSet::new();
        for count in counted(&begun) {
            let Count { first_try, recovered, cancelled, panicked, disabled, .. } = count;
            ends.extend(count.given_up.into_keys());
            let others = [
                ("first_try", first_try),
                ("recovered", recovered),
                ("cancelled", cancelled),
                ("panicked", panicked),
                ("disabled", disabled),
            ];
            ends.extend(others.into_iter().filter(|(_, count)| *count > 0).map(|(end, _)| end));
        }
        let reasons = StopReason::ALL.iter().map(|reason| reason.as_str());
        let never = ["success", "budget", "breaker_open", "nested"];
        let reached = reasons.filter(|reason| !never.contains(reason));
        assert!(
            ends.into_iter()
                .eq(reached.chain(["first_try", "recovered", "panicked"]).collect::<BTreeSet<_>>())
        );
    }
}

mod cancelled {
    use super::*;

    /// Fails, and hangs in the attempt with this number.
    macro_rules! hanging {
        ($name:literal, $wait:expr) => {{
            #[retry(stop = attempts(9), wait = fixed($wait), name = $name)]
            async fn hanging(hangs_in: u32) -> Result<u32, Busy> {
                let number = retry::current().unwrap().number();
                if number == hangs_in {
                    pending::<()>().await;
                }
                Err(Busy(number, Verdict::Retry))
            }
            hanging
        }};
    }

    async fn after(time: Duration, call: impl Future<Output = Result<u32, Busy>>) {
        tokio::select! {
            biased;
            _ = call => panic!("it ends"),
            () = tokio::time::sleep(time) => {}
        }
    }

    fn assert_cancelled(name: &str, calls: u64, attempts: u64, waited: Duration) {
        let (count, site) = Count::of(name, None);
        let retries = attempts - calls;
        assert_eq!(count, Count { cancelled: calls, retries, waited, ..Count::default() });
        assert_eq!(site.map(|site| (site.calls(), site.attempts())), Some((calls, attempts)));
    }

    #[test]
    fn a_call_dropped_in_its_first_attempt_counts_as_cancelled_with_that_attempt() {
        let hanging = hanging!("in the first attempt", ms(10));
        paused(after(ms(50), hanging(1)));
        assert_cancelled("in the first attempt", 1, 1, Duration::ZERO);
    }

    #[test]
    fn a_call_dropped_in_a_later_attempt_counts_as_cancelled_with_all_its_attempts() {
        let hanging = hanging!("in a later attempt", ms(10));
        paused(after(ms(50), hanging(4)));
        assert_cancelled("in a later attempt", 1, 4, ms(30));
    }

    #[test]
    fn a_call_dropped_in_a_sleep_counts_as_cancelled_without_the_attempt_after_it() {
        let hanging = hanging!("in a sleep", ms(20));
        paused(after(ms(50), hanging(9)));
        // At 0, 20 and 40 ms; of the third pause ten milliseconds had passed.
        assert_cancelled("in a sleep", 1, 3, ms(40));
    }

    #[test]
    fn a_recorded_call_counts_the_same() {
        let hanging = hanging!("recorded", ms(20));
        let ((), reports) = paused(record(after(ms(50), hanging(9))));
        assert_eq!(reports.len(), 1);
        assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Cancelled, 3));
        assert_cancelled("recorded", 1, 3, ms(40));
    }

    #[test]
    fn many_calls_dropped_at_once_are_counted_one_by_one() {
        let hanging = hanging!("many", ms(20));
        // Every other one in its third attempt, the rest in the sleep after it.
        let calls = (1..=100).map(|number| hanging(if number % 2 == 0 { 3 } else { 9 }));
        let all = async {
            join_all(calls).await;
            Ok(0)
        };
        paused(after(ms(50), all));
        assert_cancelled("many", 100, 300, ms(4_000));
    }

    #[test]
    fn a_call_that_was_never_polled_was_none() {
        let hanging = hanging!("never polled", ms(10));
        drop(hanging(1));
        assert_eq!(sites().get("never polled"), None);
    }

    #[test]
    fn a_call_that_ended_is_not_cancelled_when_its_future_is_dropped() {
        let hanging = hanging!("ended", Duration::ZERO);
        paused(async {
            let mut call = Box::pin(hanging(10));
            assert_eq!(call.as_mut().await, Err(Busy(9, Verdict::Retry)));
            drop(call);
        });
        let (count, _) = Count::of("ended", None);
        let given_up = BTreeMap::from([("attempts", 1)]);
        assert_eq!(count, Count { given_up, retries: 8, ..Count::default() });
    }
}
