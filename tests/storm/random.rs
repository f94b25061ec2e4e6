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
    gate = |attempt, _| attempt.number() < call.plan.gate,
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
    gate = async |attempt, _| attempt.number() < call.plan.gate,
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
            // On a busy machine a pause ends so late that no time is left for another attempt.
            Some(last) if report.reason() == StopReason::Time => last.delay().unwrap_or_default(),
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
        let Count { first_try, recovered, permanent, cancelled, panicked, disabled, .. } = count;
        ends.extend(count.given_up.into_keys());
        let others = [
            ("first_try", first_try),
            ("recovered", recovered),
            ("permanent", permanent),
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
