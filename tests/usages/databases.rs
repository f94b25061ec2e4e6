//! Drivers and transactions.

use retry::{Budget, Interrupted, Mark, RetryError, StopReason, Transient, Verdict, retry, stop};
use tokio::time::{Instant, sleep};

use crate::support::{ms, secs};

/// Tokens are paid by the retries of a server that has too much to do, first by many of them; what the caller
/// gets is the first error, since only that says whether something was written.
#[tokio::test(start_paused = true)]
async fn a_driver_with_a_budget_returns_its_first_error() {
    #[derive(Debug, PartialEq)]
    enum DriverError {
        Unreachable(u32),
        Overloaded(u32),
    }
    impl Transient for DriverError {
        fn verdict(&self) -> Verdict {
            match self {
                Self::Unreachable(_) => Verdict::Retry,
                Self::Overloaded(_) => Verdict::Retry.throttled(),
            }
        }
    }
    use DriverError::{Overloaded, Unreachable};
    static TOKENS: Budget = Budget::new(20).initial(20).cost(1).throttled_cost(10);

    async fn execute(answers: Vec<Result<u32, DriverError>>) -> (Result<u32, DriverError>, u32) {
        let (mut first, mut calls, mut answers) = (None, 0, answers.into_iter());
        let outcome = retry::block!(
            stop = attempts(3),
            wait = none().throttled(exponential(100ms).cap(10s)),
            on = transient() & (any_error().at_most(1) | matches(Err(Overloaded(_)))),
            budget = &TOKENS,
            discard = |_, outcome| {
                first.get_or_insert(outcome);
            },
            fallback = |_, last| first.take().unwrap_or(last),
            async || -> Result<u32, DriverError> {
                calls += 1;
                answers.next().unwrap()
            },
        );
        (outcome, calls)
    }
    // One retry at once, and none after it.
    let start = Instant::now();
    let twice = execute(vec![Err(Unreachable(1)), Err(Unreachable(2))]).await;
    assert_eq!((twice, start.elapsed()), ((Err(Unreachable(1)), 2), secs(0)));
    assert_eq!(TOKENS.available(), 19);
    // Another server may do it.
    let second = execute(vec![Err(Overloaded(1)), Ok(7)]).await;
    assert_eq!(second, (Ok(7), 2));
    assert_eq!((TOKENS.available(), start.elapsed()), (19, ms(100)));
    // One of the two retries is paid, and for the other there are too few tokens.
    let error = vec![Err(Overloaded(1)), Err(Overloaded(2)), Err(Overloaded(3))];
    assert_eq!(execute(error).await, (Err(Overloaded(1)), 2));
    // Now there are too few for any: the first error is the only one.
    assert_eq!(execute(vec![Err(Overloaded(5))]).await, (Err(Overloaded(5)), 1));
}

/// A driver that takes the transaction and the error, waits as the cluster tells it, and gives the next one, or
/// says that there is no point in it.
#[derive(Debug, PartialEq)]
struct DbError {
    code: u16,
}

struct Transaction {
    number: u32,
}

struct Database {
    codes: std::vec::IntoIter<u16>,
}

impl Database {
    async fn commit(&mut self, transaction: &mut Transaction) -> Result<u32, DbError> {
        match self.codes.next() {
            Some(code) => Err(DbError { code }),
            None => Ok(transaction.number),
        }
    }
}

impl Transaction {
    async fn on_error(self, error: DbError) -> Result<Self, DbError> {
        if error.code == 1 {
            return Err(DbError { code: 100 });
        }
        sleep(ms(u64::from(error.code))).await;
        Ok(Self { number: self.number + 1 })
    }
}

/// Which attempt may have committed unseen.
const MAYBE_COMMITTED: u16 = 9;

/// The wait, the limits and the next transaction are the driver's; what is left are the limits that the caller
/// may set, and whether it may be repeated although it may have been committed.
async fn transact(
    codes: Vec<u16>,
    most: Option<u32>,
    is_idempotent: bool,
) -> Result<(u32, bool), RetryError<DbError>> {
    let mut database = Database { codes: codes.into_iter() };
    let (mut lent, mut failed) = (Some(Transaction { number: 1 }), None);
    retry::block!(
        forever,
        stop = most.map(attempts),
        wait = none(),
        on = |error| match error.code {
            MAYBE_COMMITTED => Verdict::Ambiguous,
            _ => Verdict::Retry,
        },
        idempotent = is_idempotent,
        discard = |_, outcome| failed = outcome.err(),
        async || -> Result<(u32, bool), RetryError<DbError>> {
            if let (Some(transaction), Some(error)) = (lent.take(), failed.take()) {
                // The driver knows that there is no point: that is the error to return.
                lent = Some(transaction.on_error(error).await.permanent()?);
            }
            let transaction = lent.get_or_insert(Transaction { number: 1 });
            let may_be_done = retry::current().is_some_and(|attempt| attempt.was_ambiguous());
            Ok((database.commit(transaction).await?, may_be_done))
        },
    )
}

#[tokio::test(start_paused = true)]
async fn a_drivers_on_error_waits_and_gives_the_next_transaction() {
    let start = Instant::now();
    assert_eq!(transact(vec![30, 50], None, false).await.unwrap(), (3, false));
    assert_eq!(start.elapsed(), ms(80));
    // It says no.
    let refused = transact(vec![30, 1, 30], None, false).await.unwrap_err();
    assert_eq!(
        (refused.reason, refused.source),
        (StopReason::Permanent, Some(DbError { code: 100 }))
    );
    // It may have been committed.
    let unknown = transact(vec![MAYBE_COMMITTED], None, false).await.unwrap_err();
    assert_eq!(unknown.reason, StopReason::Ambiguous);
    assert_eq!(transact(vec![MAYBE_COMMITTED], None, true).await.unwrap(), (2, true));
    // The caller has set a limit.
    let limited = transact(vec![30, 30, 30], Some(2), false).await.unwrap_err();
    assert_eq!((limited.reason, limited.attempts), (StopReason::Attempts, 2));
}

/// The caller brings the moment at which he gives up: no wait goes past it and is longer than a fifth of what is
/// left, an attempt is cut there, and the pool has an error of its own for it.
#[tokio::test(start_paused = true)]
async fn a_pool_connects_until_the_moment_that_its_caller_brings() {
    #[derive(Debug, PartialEq)]
    enum PoolError {
        Refused,
        TimedOut,
    }
    #[retry(
        stop = attempts(99),
        wait = |state| exponential(100ms).cap(state.remaining().unwrap_or_default() / 5),
        on = matches(Err(PoolError::Refused)),
        deadline = until,
        interrupted = |_| PoolError::TimedOut,
        fallback = |report, last| match report.reason() {
            StopReason::Time => Err(PoolError::TimedOut),
            _ => last,
        },
    )]
    async fn acquire(until: Instant, hangs: bool, calls: &mut u32) -> Result<(), PoolError> {
        *calls += 1;
        if hangs {
            std::future::pending::<()>().await;
        }
        Err(PoolError::Refused)
    }
    let (start, mut calls) = (Instant::now(), 0);
    let outcome = acquire(start + secs(1), false, &mut calls).await;
    assert_eq!(outcome, Err(PoolError::TimedOut));
    assert!(start.elapsed() <= secs(1) && calls > 4, "{calls} in {:?}", start.elapsed());
    let start = Instant::now();
    let outcome = acquire(start + secs(1), true, &mut 0).await;
    assert_eq!((outcome, start.elapsed()), (Err(PoolError::TimedOut), secs(1)));
}

/// Writers that got in each other's way get slots as long as the first attempt took, and a tenth more; more slots
/// at every conflict. A limit in time spares the first attempt.
#[tokio::test(start_paused = true)]
async fn writers_in_conflict_wait_by_what_the_first_attempt_took() {
    #[retry(
        stop = within(30s),
        wait = |state| {
            let slot = state.first_attempt().unwrap_or_default().mul_f64(1.1);
            slot * slots(state.attempt())
        },
        on = any_error(),
    )]
    async fn write(durations: &mut std::slice::Iter<'_, u64>) -> Result<(), &'static str> {
        sleep(ms(*durations.next().ok_or("no more")?)).await;
        Err("conflict")
    }
    fn slots(attempt: u32) -> u32 {
        attempt
    }
    let start = Instant::now();
    // 1 + 1.1 + 0.1 + 2.2 + 0.1 + 3.3 + …
    write(&mut [1000, 100, 100].iter()).await.unwrap_err();
    assert!(start.elapsed() > secs(7), "{:?}", start.elapsed());
    let start = Instant::now();
    write(&mut [40_000].iter()).await.unwrap_err();
    assert_eq!(start.elapsed(), secs(40));
}

/// A configured number may be zero, and that means off.
#[tokio::test(start_paused = true)]
async fn a_store_whose_limits_are_off_at_zero() {
    struct Limits {
        attempts: u32,
        seconds: u64,
    }
    #[derive(Debug)]
    enum StoreError {
        Refused,
        Cut,
    }
    impl From<Interrupted> for StoreError {
        fn from(_: Interrupted) -> Self {
            Self::Cut
        }
    }
    impl Limits {
        #[retry(
            forever,
            stop = (self.attempts > 0).then(|| stop::attempts(self.attempts)),
            wait = fixed(1s),
            on = matches(Err(StoreError::Refused)),
            attempt_timeout = (self.seconds > 0).then(|| secs(self.seconds)),
            idempotent,
        )]
        async fn read(&self, takes: u64, calls: &mut u32) -> Result<u32, StoreError> {
            *calls += 1;
            sleep(secs(takes)).await;
            if *calls < 6 { Err(StoreError::Refused) } else { Ok(*calls) }
        }
    }
    let off = Limits { attempts: 0, seconds: 0 };
    assert_eq!(off.read(100, &mut 0).await.unwrap(), 6);
    let on = Limits { attempts: 3, seconds: 5 };
    let mut calls = 0;
    assert!(matches!(on.read(1, &mut calls).await, Err(StoreError::Refused)));
    assert_eq!(calls, 3);
    let (mut calls, start) = (0, Instant::now());
    assert!(matches!(on.read(100, &mut calls).await, Err(StoreError::Cut)));
    assert_eq!((calls, start.elapsed()), (3, secs(3 * 5 + 2)));
}
