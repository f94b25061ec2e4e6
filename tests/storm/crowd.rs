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
