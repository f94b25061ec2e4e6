//! There is no reason for which no call ends.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use retry::{Breaker, Budget, StopReason, Verdict, record_sync, retry};

type Outcome = Result<(), Verdict>;

/// Ends a call of a function with these keys.
macro_rules! call {
    ($outcome:expr, $($keys:tt)*) => {{
        #[retry(wait = none(), on = |verdict: &Verdict| *verdict, $($keys)*)]
        fn call() -> Outcome {
            $outcome
        }
        let _ = call();
    }};
}

#[test]
fn that_is_known_ends_some_call() {
    static BUDGET: Budget = Budget::new(14).initial(0);
    static BREAKER: Breaker = Breaker::consecutive(1);
    static CANCELLED: AtomicBool = AtomicBool::new(true);
    BREAKER.open();
    let ((), reports) = record_sync(|| {
        call!(Ok(()), stop = attempts(2));
        call!(Err(Verdict::Final), stop = attempts(2));
        call!(Err(Verdict::Ambiguous), stop = attempts(2));
        call!(Err(Verdict::Retry), stop = attempts(2));
        call!(Err(Verdict::Retry), stop = attempts(2) | when(|_| true));
        call!(Err(Verdict::Retry.retry_after(Duration::from_secs(2))), stop = within(1s));
        call!(
            {
                std::thread::sleep(Duration::from_millis(2));
                Err(Verdict::Retry)
            },
            stop = within(1ms),
        );
        call!(Err(Verdict::Retry), stop = attempts(2), gate = |_, _| false);
        call!(Err(Verdict::Retry), stop = attempts(2), budget = &BUDGET);
        call!(Ok(()), stop = attempts(2), breaker = &BREAKER, interrupted = |_| Verdict::Final);
        call!(Ok(()), stop = attempts(2), cancel = &CANCELLED, interrupted = |_| Verdict::Final);
        call!(Ok(()), stop = attempts(2), enabled = false);
        call!(
            {
                call!(Err(Verdict::Retry), stop = attempts(2), nested = once);
                Ok(())
            },
            stop = attempts(2)
        );
    });
    let name = |reason: StopReason| reason.as_str();
    let seen: BTreeSet<_> = reports.iter().map(|report| name(report.reason())).collect();
    let known: BTreeSet<_> = StopReason::ALL.iter().map(|reason| name(*reason)).collect();
    assert_eq!(seen, known);
}
