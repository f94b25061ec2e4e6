//! Which guards let a future be sent to another thread.

use std::cell::Cell;
use std::future::Future;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use retry::{Breaker, Budget, Interrupted, retry};
use tokio::sync::Notify;

static NOTIFY: Notify = Notify::const_new();
static STOP: AtomicBool = AtomicBool::new(false);
static BREAKER: Breaker = Breaker::consecutive(1_000_000);
// Full from the start, since the tests here spend of it at the same time.
static BUDGET: Budget = Budget::new(1_000_000).initial(1_000_000);

#[derive(Debug)]
struct Error;

impl From<Interrupted> for Error {
    fn from(_: Interrupted) -> Self {
        Self
    }
}

/// Neither can be sent.
type Local<T = ()> = Result<T, Rc<str>>;

/// Can be sent, but not shared.
type Unshared = Result<Cell<u8>, (Cell<u8>, Error)>;

fn sent<F: Future + Send>(future: F) -> F {
    future
}

macro_rules! each_key {
    ($($name:ident($($key:tt)*))*) => {
        $(
            #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error(), $($key)*)]
            async fn $name(calls: &Cell32) -> Result<u32, Error> {
                tokio::task::yield_now().await;
                calls.count()
            }
        )*

        #[tokio::test(start_paused = true)]
        async fn the_future_of_a_guarded_function_can_be_spawned() {
            $(
                let outcome = tokio::spawn(async {
                    $name(&Cell32::default()).await
                });
                assert!(matches!(outcome.await.unwrap(), Ok(3)), stringify!($name));
            )*
        }
    };
}

#[derive(Default)]
struct Cell32(std::sync::atomic::AtomicU32);

impl Cell32 {
    /// Fails twice.
    fn count(&self) -> Result<u32, Error> {
        let calls = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        if calls < 3 { Err(Error) } else { Ok(calls) }
    }
}

each_key! {
    deadline(deadline = 1s)
    attempt_timeout(attempt_timeout = 1s, idempotent)
    idle(attempt_timeout = idle(Duration::from_secs(1)), idempotent)
    cancel_by_flag(cancel = &STOP)
    cancel_by_closure(cancel = || false)
    cancel_by_future(cancel = NOTIFY.notified())
    budget(budget = &BUDGET)
    breaker(breaker = &BREAKER)
    waiting(breaker = BREAKER.waiting())
    nested(nested = once)
    interrupted(deadline = 1s, interrupted = |_| Error)
    all(
        deadline = 3s,
        attempt_timeout = 1s,
        idempotent,
        cancel = NOTIFY.notified(),
        budget = BUDGET,
        breaker = BREAKER,
        nested = once,
        before = async |_| tokio::task::yield_now().await,
        before_sleep = async |_, _| tokio::task::yield_now().await,
        gate = async |_, _| true,
        discard = |_, _| (),
    )
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_sent_and_need_not_be_kept_is_no_hindrance() {
    #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error(), budget = &BUDGET)]
    async fn budget() -> Local {
        Err("local".into())
    }
    #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error(), nested = once)]
    async fn nested() -> Local<Rc<u8>> {
        Err("local".into())
    }
    sent(budget()).await.unwrap_err();
    sent(nested()).await.unwrap_err();
    let outcome = sent(async {
        let failed: Local = retry::block!(
            stop = attempts(3),
            wait = fixed(1ms),
            on = any_error(),
            budget = &BUDGET,
            nested = once,
            async { Err::<(), _>("local".into()) }
        );
        failed.is_err()
    });
    assert!(outcome.await);
}

#[tokio::test(start_paused = true)]
async fn what_can_be_sent_but_not_shared_is_kept_all_the_same() {
    #[retry(
        stop = attempts(3),
        wait = fixed(1ms),
        on = any_error(),
        deadline = 10s,
        attempt_timeout = 1s,
        idempotent,
        cancel = &STOP,
        budget = BUDGET,
        breaker = BREAKER,
        interrupted = |_| (Cell::new(0), Error),
    )]
    async fn fails() -> Unshared {
        tokio::task::yield_now().await;
        Err((Cell::new(1), Error))
    }
    assert_eq!(sent(fails()).await.unwrap_err().0.get(), 1);
}
