use super::*;

#[tokio::test(start_paused = true)]
async fn a_table_commit_that_meets_another() {
    #[derive(Debug, PartialEq)]
    enum CommitError {
        Commit(String),
        ReloadTable(String),
    }
    struct Sink {
        retry_num: u32,
        version: u32,
    }
    impl Sink {
        #[retry(
            stop = attempts(1 + self.retry_num),
            wait = exponential(10ms).cap(60s).full_jitter(),
            on = matches(Err(CommitError::Commit(_))),
        )]
        async fn commit(&mut self, log: &mut Log, wins_at: usize) -> Result<u32, CommitError> {
            // Read again by every attempt.
            self.version += 1;
            match log.nth() {
                n if n == wins_at => Ok(self.version),
                1..=8 => Err(CommitError::Commit(format!("conflict at {}", self.version))),
                _ => Err(CommitError::ReloadTable("gone".to_owned())),
            }
        }
    }
    let mut sink = Sink { retry_num: 8, version: 40 };
    assert_eq!(sink.commit(&mut Log::new(), 3).await, Ok(43));
    let mut log = Log::new();
    let mut sink = Sink { retry_num: 4, version: 0 };
    let last = sink.commit(&mut log, 99).await;
    assert_eq!(last, Err(CommitError::Commit("conflict at 5".to_owned())));
    // tokio's timer rounds up to a millisecond.
    assert_within(&log.gaps(), [(0, 11), (0, 21), (0, 41), (0, 81)]);
    let mut sink = Sink { retry_num: 20, version: 0 };
    let last = sink.commit(&mut Log::new(), 99).await;
    assert_eq!(last, Err(CommitError::ReloadTable("gone".to_owned())));
    assert_eq!(sink.version, 9);
}

#[tokio::test(start_paused = true)]
async fn a_serialization_failure_in_a_method_of_an_async_trait() {
    #[derive(Debug, PartialEq)]
    enum Error {
        Sql(&'static str),
    }
    impl Error {
        fn is_serialization_error(&self) -> bool {
            matches!(self, Self::Sql("40001"))
        }
    }
    struct Store {
        txn_retry_count: u32,
        fails_with: &'static str,
    }
    #[async_trait::async_trait]
    trait Txn {
        async fn txn(&self, log: &mut Log) -> Result<(), Error>;
    }
    #[async_trait::async_trait]
    impl Txn for Store {
        #[retry(
            stop = attempts(1 + self.txn_retry_count),
            wait = exponential(10ms).cap(200ms),
            on = Error::is_serialization_error,
        )]
        async fn txn(&self, log: &mut Log) -> Result<(), Error> {
            log.nth();
            Err(Error::Sql(self.fails_with))
        }
    }
    let mut log = Log::new();
    let store = Store { txn_retry_count: 6, fails_with: "40001" };
    assert_eq!(store.txn(&mut log).await, Err(Error::Sql("40001")));
    assert_eq!(log.gaps(), all_ms([10, 20, 40, 80, 160, 200]));
    let mut log = Log::new();
    let store = Store { txn_retry_count: 6, fails_with: "23505" };
    assert_eq!(store.txn(&mut log).await, Err(Error::Sql("23505")));
    assert_eq!(log.attempts(), 1);
}

#[test]
fn a_transaction_restarted_after_a_short_random_time() {
    fn is_restart(code: &&str) -> bool {
        code.starts_with("40")
    }
    #[retry(
        stop = attempts(10),
        wait = random(0ms..50ms),
        on = is_restart,
        sleep = |delay| log.sleep(delay),
    )]
    fn transaction(log: &mut Log) -> Result<(), &'static str> {
        log.nth();
        Err("40001")
    }
    let mut log = Log::new();
    assert_eq!(transaction(&mut log), Err("40001"));
    assert_within(&log.sleeps, [(0, 50); 9]);
}

#[tokio::test(start_paused = true)]
async fn an_optimistic_transaction_with_listed_delays() {
    #[derive(Debug, PartialEq)]
    enum TxnError {
        Conflict,
        Meta,
    }
    const DELAYS: [Duration; 5] = [ms(2), ms(5), ms(10), ms(14), ms(20)];
    let mut log = Log::new();
    let result: Result<(), TxnError> = retry::block!(
        stop = attempts(60),
        wait = sequence(DELAYS).jitter_factor(0.2),
        on = matches(Err(TxnError::Conflict)),
        sleep = |delay| {
            log.sleep(delay);
            std::future::ready(())
        },
        async { Err(TxnError::Conflict) }
    );
    assert_eq!(result, Err(TxnError::Conflict));
    assert_eq!(log.sleeps.len(), 59);
    for (delay, listed) in log.sleeps.iter().zip(DELAYS.into_iter().chain([ms(20); 54])) {
        assert!(*delay <= listed && *delay >= listed.mul_f64(0.8), "{delay:?} of {listed:?}");
    }
    let result: Result<(), TxnError> = retry::block!(
        stop = attempts(60),
        wait = sequence(DELAYS),
        on = matches(Err(TxnError::Conflict)),
        async { Err(TxnError::Meta) }
    );
    assert_eq!(result, Err(TxnError::Meta));
}

#[test]
fn an_embedded_database_that_is_busy_or_whose_schema_changed() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Code {
        Busy,
        Schema,
        Corrupt,
    }
    #[retry(
        stop = attempts(13),
        wait = sequence([10ms, 25ms, 50ms, 100ms, 200ms, 400ms, 800ms, 1s]),
        on = matches(Err(Code::Busy)) | matches(Err(Code::Schema)).at_most(3),
        enabled = !in_transaction,
        sleep = |delay| log.sleep(delay),
    )]
    fn execute(log: &mut Log, codes: &[Code], in_transaction: bool) -> Result<(), Code> {
        codes.get(log.nth() - 1).map_or(Ok(()), |code| Err(*code))
    }
    let mut log = Log::new();
    assert_eq!(execute(&mut log, &[Code::Busy, Code::Schema, Code::Busy], false), Ok(()));
    assert_eq!(log.sleeps, all_ms([10, 25, 50]));
    let mut log = Log::new();
    assert_eq!(execute(&mut log, &[Code::Schema; 9], false), Err(Code::Schema));
    assert_eq!(log.attempts(), 4);
    let mut log = Log::new();
    assert_eq!(execute(&mut log, &[Code::Busy; 99], false), Err(Code::Busy));
    assert_eq!(log.sleeps.len(), 12);
    assert_eq!(log.sleeps[8..], all_ms([1000; 4]));
    let mut log = Log::new();
    assert_eq!(execute(&mut log, &[Code::Busy], true), Err(Code::Busy));
    assert_eq!(execute(&mut Log::new(), &[Code::Corrupt], false), Err(Code::Corrupt));
}

#[tokio::test(start_paused = true)]
async fn connecting_to_a_database_until_a_flags_time_is_up() {
    #[retry(
        stop = within(timeout),
        wait = exponential(100ms).cap(5s),
        on = |e| matches!(
            e.kind(),
            ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted
        ),
    )]
    async fn connect(log: &mut Log, timeout: Duration, kind: ErrorKind) -> io::Result<()> {
        log.nth();
        Err(kind.into())
    }
    let mut log = Log::new();
    connect(&mut log, ms(10_000), ErrorKind::ConnectionReset).await.unwrap_err();
    // 0.1 + 0.2 + … + 3.2 s is 6.3 s; another 5 s do not fit.
    assert_eq!(log.gaps(), all_ms([100, 200, 400, 800, 1600, 3200]));
    let mut log = Log::new();
    connect(&mut log, ms(10_000), ErrorKind::InvalidInput).await.unwrap_err();
    assert_eq!(log.attempts(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_pool_that_connects_until_the_callers_deadline() {
    #[retry(
        stop = until(deadline),
        // Without the floor the last waits would be too fine for tokio's timer.
        wait = exponential(10ms).cap((deadline - Instant::now()) / 5).floor(1ms),
        on = transient(),
    )]
    async fn connect(log: &mut Log, deadline: Instant) -> io::Result<()> {
        log.nth();
        Err(ErrorKind::ConnectionRefused.into())
    }
    let mut log = Log::new();
    connect(&mut log, Instant::now() + ms(1000)).await.unwrap_err();
    let last = *log.starts.last().unwrap();
    assert!(last < ms(1000), "no attempt starts at the deadline or after it");
    // A fifth of what is left: the waits grow, then shrink.
    let gaps = log.gaps();
    assert_eq!(gaps[..5], all_ms([10, 20, 40, 80, 160]));
    assert!(gaps[5] < gaps[4] && gaps[5] >= ms(138), "{gaps:?}");
}

#[tokio::test(start_paused = true)]
async fn a_commit_that_checks_the_winners_each_time() {
    let (mut version, mut attempts) = (0, 0);
    let winners = 4;
    let result: Result<u32, &str> =
        retry::block!(stop = attempts(16), wait = none(), on = |e| *e == "version exists", async {
            attempts += 1;
            version += 1;
            if version <= winners { Err("version exists") } else { Ok(version) }
        });
    // How many it took can go into the result, since the block is in the function.
    assert_eq!((result, attempts), (Ok(5), 5));
}

#[tokio::test(start_paused = true)]
async fn a_region_whose_leader_has_moved_is_asked_at_once() {
    #[derive(Debug, PartialEq)]
    enum RegionError {
        NotLeader(Option<u64>),
        ServerBusy,
    }
    struct Plan {
        leader: u64,
    }
    impl Plan {
        #[retry(
            stop = attempts(11),
            wait = exponential(2ms).cap(1s),
            on = |e| match e {
                RegionError::NotLeader(Some(_)) => Verdict::Retry.now(),
                _ => Verdict::Retry,
            },
        )]
        async fn execute(&mut self, log: &mut Log) -> Result<u64, RegionError> {
            match log.nth() {
                1 => Err(RegionError::ServerBusy),
                2 => {
                    self.leader = 7;
                    Err(RegionError::NotLeader(Some(7)))
                }
                3 => Err(RegionError::NotLeader(None)),
                _ => Ok(self.leader),
            }
        }
    }
    let mut log = Log::new();
    assert_eq!(Plan { leader: 1 }.execute(&mut log).await, Ok(7));
    assert_eq!(log.gaps(), all_ms([2, 0, 4]));
}

#[tokio::test(start_paused = true)]
async fn a_driver_waits_only_where_the_server_is_overloaded() {
    struct Error {
        overloaded: bool,
    }
    #[retry(
        stop = attempts(5),
        wait = none().throttled(exponential(100ms).cap(10s)),
        on = error(|e| if e.overloaded { Verdict::Retry.throttled() } else { Verdict::Retry })
            & (any_error().at_most(1) | error(|e| e.overloaded).at_most(2)),
    )]
    async fn execute(log: &mut Log, overloaded: bool) -> Result<(), Error> {
        log.nth();
        Err(Error { overloaded })
    }
    // One retry, at once.
    let mut log = Log::new();
    assert!(execute(&mut log, false).await.is_err());
    assert_eq!(log.gaps(), all_ms([0]));
    // Two when overloaded, with a backoff.
    let mut log = Log::new();
    assert!(execute(&mut log, true).await.is_err());
    assert_eq!(log.gaps(), all_ms([100, 200]));
}
