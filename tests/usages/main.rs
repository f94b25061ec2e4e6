//! Policies as they are found in the wild, each on a small function that fails as the original
//! would: how often it is called, and after which delays.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(missing_docs, unreachable_pub)]
// A function stands beside what is asked of it, and keeps the signature of the original.
#![allow(clippy::items_after_statements, clippy::unused_self)]

use std::fmt;
use std::io::{self, ErrorKind};
use std::time::Duration;

use retry::{Transient, Verdict, retry};
use tokio::time::Instant;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn all_ms<const N: usize>(millis: [u64; N]) -> Vec<Duration> {
    millis.map(ms).to_vec()
}

/// What a call does: its attempts on tokio's clock, and the sleeps it asks for.
struct Log {
    start: Instant,
    starts: Vec<Duration>,
    sleeps: Vec<Duration>,
}

impl Log {
    fn new() -> Self {
        Self { start: Instant::now(), starts: Vec::new(), sleeps: Vec::new() }
    }

    /// Notes an attempt and gives its number, from 1.
    fn attempt(&mut self) -> usize {
        self.starts.push(self.start.elapsed());
        self.starts.len()
    }

    fn attempts(&self) -> usize {
        self.starts.len()
    }

    fn gaps(&self) -> Vec<Duration> {
        self.starts.iter().zip(&self.starts[1..]).map(|(a, b)| b.saturating_sub(*a)).collect()
    }

    /// Instead of sleeping.
    fn sleep(&mut self, delay: Duration) {
        self.sleeps.push(delay);
    }
}

/// All delays lie within these bounds, one pair for each.
fn assert_within(delays: &[Duration], bounds: impl IntoIterator<Item = (u64, u64)>) {
    let bounds: Vec<_> = bounds.into_iter().collect();
    assert_eq!(delays.len(), bounds.len(), "{delays:?}");
    for (delay, (least, most)) in delays.iter().zip(bounds) {
        assert!((ms(least)..=ms(most)).contains(delay), "{delays:?}: {least}..={most}");
    }
}

/// The first `n` Fibonacci numbers.
fn fibonacci(n: usize) -> impl Iterator<Item = u64> {
    std::iter::successors(Some((1, 1)), |(a, b)| Some((*b, a + b))).map(|(a, _)| a).take(n)
}

mod files_locks_and_processes {
    use super::*;

    fn in_use(error: &io::Error) -> bool {
        matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ResourceBusy)
    }

    #[tokio::test(start_paused = true)]
    async fn a_rename_that_a_virus_scanner_holds_up_on_windows_only() {
        #[retry(
            stop = attempts(11),
            wait = exponential(10ms),
            on = |e| e.kind() == ErrorKind::PermissionDenied,
            enabled = on_windows,
        )]
        async fn rename(log: &mut Log, on_windows: bool, blocked: usize) -> io::Result<()> {
            if log.attempt() <= blocked {
                return Err(ErrorKind::PermissionDenied.into());
            }
            Ok(())
        }
        let mut log = Log::new();
        rename(&mut log, true, 3).await.unwrap();
        assert_eq!(log.gaps(), all_ms([10, 20, 40]));

        let mut log = Log::new();
        let error = rename(&mut log, true, 99).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
        assert_eq!(log.gaps(), all_ms([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120]));

        let mut log = Log::new();
        rename(&mut log, false, 3).await.unwrap_err();
        assert_eq!(log.attempts(), 1);

        // As it is written in the original.
        #[retry(
            stop = attempts(11),
            wait = exponential(10ms),
            on = |e| e.kind() == ErrorKind::PermissionDenied,
            enabled = cfg!(windows),
        )]
        async fn by_target(log: &mut Log) -> io::Result<()> {
            log.attempt();
            Err(ErrorKind::PermissionDenied.into())
        }
        let mut log = Log::new();
        by_target(&mut log).await.unwrap_err();
        assert_eq!(log.attempts(), if cfg!(windows) { 11 } else { 1 });
    }

    #[test]
    fn a_rename_with_a_branch_of_its_own_across_devices() {
        fn rename(log: &mut Log, errors: &[ErrorKind]) -> io::Result<&'static str> {
            let mut attempts = 0;
            retry::block!(
                stop = attempts(27),
                wait = fibonacci(1ms).full_jitter(),
                on = in_use,
                sleep = |delay| log.sleep(delay),
                || -> io::Result<&'static str> {
                    attempts += 1;
                    match errors.get(attempts - 1) {
                        Some(ErrorKind::CrossesDevices) => Ok("copied"),
                        Some(kind) => Err((*kind).into()),
                        None => Ok("renamed"),
                    }
                }
            )
        }
        let mut log = Log::new();
        assert_eq!(rename(&mut log, &[ErrorKind::PermissionDenied; 3]).unwrap(), "renamed");
        assert_within(&log.sleeps, [(0, 1), (0, 1), (0, 2)]);

        let mut log = Log::new();
        let errors = [ErrorKind::PermissionDenied, ErrorKind::CrossesDevices];
        assert_eq!(rename(&mut log, &errors).unwrap(), "copied");

        let mut log = Log::new();
        rename(&mut log, &[ErrorKind::PermissionDenied; 99]).unwrap_err();
        assert_within(&log.sleeps, fibonacci(26).map(|n| (0, n)));

        let mut log = Log::new();
        rename(&mut log, &[ErrorKind::NotFound]).unwrap_err();
        assert_eq!(log.sleeps, []);
    }

    #[test]
    fn removing_a_directory_that_is_still_in_use() {
        fn remove(log: &mut Log, busy: usize) -> io::Result<()> {
            let mut attempts = 0;
            retry::block!(
                stop = attempts(11),
                wait = fibonacci(10ms).full_jitter(),
                on = in_use | |error| error.kind() == ErrorKind::DirectoryNotEmpty,
                sleep = |delay| log.sleep(delay),
                || -> io::Result<()> {
                    attempts += 1;
                    if attempts <= busy {
                        return Err(ErrorKind::DirectoryNotEmpty.into());
                    }
                    Ok(())
                }
            )
        }
        let mut log = Log::new();
        remove(&mut log, 99).unwrap_err();
        assert_within(&log.sleeps, fibonacci(10).map(|n| (0, 10 * n)));
    }

    #[test]
    fn waiting_until_a_file_is_gone() {
        let (mut checks, mut sleeps) = (0, Vec::new());
        let gone: bool = retry::block!(
            stop = attempts(24),
            wait = fibonacci(1ms),
            on = output(|gone| !gone),
            sleep = |delay| sleeps.push(delay),
            || -> bool {
                checks += 1;
                checks == 9
            }
        );
        assert!(gone);
        assert_eq!(sleeps, fibonacci(8).map(ms).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_download_that_fails_for_a_reason_deep_inside() {
        #[derive(Debug)]
        struct DownloadInterrupted;
        impl fmt::Display for DownloadInterrupted {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("interrupted")
            }
        }
        impl std::error::Error for DownloadInterrupted {}

        async fn download(
            max_retries: u32,
            interrupted: bool,
            calls: &mut u32,
        ) -> anyhow::Result<()> {
            retry::block!(
                stop = attempts(1 + max_retries),
                wait = none(),
                on = is::<DownloadInterrupted>(),
                async {
                    *calls += 1;
                    Err(if interrupted {
                        anyhow::Error::new(DownloadInterrupted).context("component rustc")
                    } else {
                        anyhow::anyhow!("checksum mismatch")
                    })
                }
            )
        }
        let mut calls = 0;
        let error = download(3, true, &mut calls).await.unwrap_err();
        assert_eq!((calls, error.to_string().as_str()), (4, "component rustc"));
        let mut calls = 0;
        download(3, false, &mut calls).await.unwrap_err();
        assert_eq!(calls, 1);
    }

    #[test]
    fn a_lock_file_held_by_another_process() {
        #[derive(Clone, Copy)]
        enum Mode {
            Immediately,
            Wait(Duration),
        }
        impl Mode {
            fn waits(self) -> bool {
                matches!(self, Self::Wait(_))
            }
            fn time(self) -> Duration {
                match self {
                    Self::Immediately => Duration::ZERO,
                    Self::Wait(time) => time,
                }
            }
        }
        fn quadratic(attempt: u32) -> Duration {
            ms(100) * attempt * attempt
        }

        #[retry(
            stop = within(mode.time()),
            wait = |s| quadratic(s.attempt()),
            on = |e| e.kind() == ErrorKind::AlreadyExists,
            enabled = mode.waits(),
            sleep = |delay| log.sleep(delay),
        )]
        fn acquire(log: &mut Log, mode: Mode, held: usize) -> io::Result<()> {
            if log.attempt() <= held {
                return Err(ErrorKind::AlreadyExists.into());
            }
            Ok(())
        }
        let mut log = Log::new();
        acquire(&mut log, Mode::Wait(Duration::from_secs(9)), 3).unwrap();
        assert_eq!(log.sleeps, all_ms([100, 400, 900]));
        // The tenth delay of 10 s alone does not fit.
        let mut log = Log::new();
        acquire(&mut log, Mode::Wait(Duration::from_secs(9)), 99).unwrap_err();
        assert_eq!((log.attempts(), log.sleeps.last()), (10, Some(&ms(8100))));

        let mut log = Log::new();
        acquire(&mut log, Mode::Immediately, 1).unwrap_err();
        assert_eq!(log.attempts(), 1);
    }

    #[test]
    fn a_lock_file_whose_folder_may_not_be_writable_on_windows() {
        #[retry(
            stop = attempts(9),
            wait = exponential(1ms).factor(1.5).jitter_factor(0.5),
            on = (|e: &io::Error| e.kind() == ErrorKind::PermissionDenied)
                | (|e: &io::Error| e.raw_os_error() == Some(32)),
            sleep = |delay| log.sleep(delay),
        )]
        fn lock(log: &mut Log) -> io::Result<()> {
            Err(match log.attempt() {
                1 => ErrorKind::PermissionDenied.into(),
                2 => io::Error::from_raw_os_error(32),
                _ => ErrorKind::NotFound.into(),
            })
        }
        let mut log = Log::new();
        assert_eq!(lock(&mut log).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(log.attempts(), 3);
        assert!(log.sleeps[0] >= Duration::from_micros(500) && log.sleeps[0] <= ms(1));
        assert!(log.sleeps[1] >= Duration::from_micros(750));
        assert!(log.sleeps[1] <= Duration::from_micros(1500));
    }

    #[tokio::test(start_paused = true)]
    async fn starting_a_program_that_is_still_being_written() {
        /// The error hands the command back.
        #[derive(Debug)]
        struct Command(&'static str);
        struct TextBusy(Command);
        fn spawn(command: Command, busy: bool) -> Result<Command, TextBusy> {
            if busy { Err(TextBusy(command)) } else { Ok(command) }
        }

        let mut log = Log::new();
        // A block may not move its variables, so the command stands in a slot.
        let mut slot = Some(Command("rustc"));
        let child: Option<Command> =
            retry::block!(stop = attempts(11), wait = fixed(50ms), on = any_error(), async {
                let busy = log.attempt() < 5;
                match spawn(slot.take()?, busy) {
                    Ok(child) => Some(child),
                    Err(TextBusy(command)) => {
                        slot = Some(command);
                        None
                    }
                }
            });
        assert_eq!(child.unwrap().0, "rustc");
        assert_eq!(log.gaps(), all_ms([50; 4]));
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_for_a_free_slot() {
        #[retry(forever, wait = exponential(10ms).cap(250ms), on = any_error())]
        async fn acquire(log: &mut Log, busy: usize) -> Option<usize> {
            let attempt = log.attempt();
            (attempt > busy).then_some(attempt)
        }
        let mut log = Log::new();
        assert_eq!(acquire(&mut log, 7).await, Some(8));
        assert_eq!(log.gaps(), all_ms([10, 20, 40, 80, 160, 250, 250]));
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_until_a_key_file_exists() {
        let mut log = Log::new();
        let key: Vec<u8> = retry::block!(
            forever,
            wait = fixed(500ms),
            on = any_error(),
            async || -> io::Result<Vec<u8>> {
                match log.attempt() {
                    1..=3 => Err(ErrorKind::NotFound.into()),
                    _ => Ok(vec![1, 2, 3]),
                }
            }
        );
        assert_eq!(key, [1, 2, 3]);
        assert_eq!(log.gaps(), all_ms([500; 3]));
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_for_a_process_to_come_up() {
        #[retry(stop = within(limit), wait = fixed(100ms), on = matches(Ok(false)))]
        async fn is_up(log: &mut Log, limit: Duration, up_at: usize) -> io::Result<bool> {
            Ok(log.attempt() >= up_at)
        }
        let mut log = Log::new();
        assert!(is_up(&mut log, ms(10_000), 4).await.unwrap());
        assert_eq!(log.gaps(), all_ms([100; 3]));
        let mut log = Log::new();
        assert!(!is_up(&mut log, ms(10_000), 999).await.unwrap());
        assert_eq!(log.attempts(), 100);
    }

    #[test]
    fn every_file_operation_once_more_on_a_flaky_file_system() {
        #[retry(stop = attempts(3), wait = none(), on = any_error(), enabled = cfg!(unix))]
        fn with_retries<T>(mut operation: impl FnMut() -> io::Result<T>) -> io::Result<T> {
            operation()
        }
        let mut calls = 0;
        let result = with_retries(|| {
            calls += 1;
            if calls < 3 { Err(ErrorKind::TimedOut.into()) } else { Ok(calls) }
        });
        assert_eq!(result.unwrap(), 3);
    }

    #[test]
    fn connecting_to_a_device_with_another_reset_sequence_each_time() {
        const SEQUENCES: [&str; 4] = ["classic", "usb", "inverted", "hard"];
        struct Connection {
            tried: Vec<&'static str>,
            answers_to: &'static str,
        }
        impl Connection {
            #[retry(stop = attempts(7), wait = none(), on = any_error())]
            fn connect(&mut self) -> Result<&'static str, String> {
                let sequence = SEQUENCES[self.tried.len() % SEQUENCES.len()];
                self.tried.push(sequence);
                if sequence == self.answers_to { Ok(sequence) } else { Err("no sync".to_owned()) }
            }
        }
        let mut port = Connection { tried: vec![], answers_to: "inverted" };
        assert_eq!(port.connect(), Ok("inverted"));
        assert_eq!(port.tried, ["classic", "usb", "inverted"]);
        let mut port = Connection { tried: vec![], answers_to: "nothing" };
        assert_eq!(port.connect(), Err("no sync".to_owned()));
        assert_eq!(port.tried.len(), 7);
    }

    #[test]
    fn a_transfer_that_goes_on_after_the_last_good_one() {
        let (mut done, mut idle_cycles, mut failures) = (0, 1, [3, 3, 7].into_iter().peekable());
        let result: Result<usize, &str> =
            retry::block!(stop = attempts(5), wait = none(), on = any_error(), || {
                while done < 10 {
                    if failures.next_if_eq(&done).is_some() {
                        idle_cycles *= 2;
                        return Err("wait");
                    }
                    done += 1;
                }
                Ok(done)
            });
        assert_eq!(result, Ok(10));
        assert_eq!(idle_cycles, 8);
    }

    #[test]
    fn removing_a_control_group_with_factorial_delays() {
        #[retry(
            stop = attempts(5),
            wait = by(|s| 10ms * (1..=s.attempt()).product::<u32>()).cap(100ms),
            on = any_error(),
            sleep = |delay| log.sleep(delay),
        )]
        fn remove(log: &mut Log) -> io::Result<()> {
            log.attempt();
            Err(ErrorKind::ResourceBusy.into())
        }
        let mut log = Log::new();
        remove(&mut log).unwrap_err();
        assert_eq!(log.sleeps, all_ms([10, 20, 60, 100]));
    }

    #[test]
    fn writing_and_reading_a_state_with_a_pause_now_and_then() {
        #[derive(Clone, Copy, Debug, PartialEq)]
        enum State {
            Freezing,
            Frozen,
        }
        #[retry(
            stop = attempts(1000),
            wait = |s| if s.attempt() % 25 == 0 { 10us } else { 0us },
            on = matches(Ok(State::Freezing)),
            sleep = |delay| log.sleep(delay),
        )]
        fn freeze(log: &mut Log, frozen_at: usize) -> io::Result<State> {
            if log.attempt() < frozen_at { Ok(State::Freezing) } else { Ok(State::Frozen) }
        }
        let mut log = Log::new();
        assert_eq!(freeze(&mut log, 120).unwrap(), State::Frozen);
        assert_eq!(log.sleeps, [Duration::from_micros(10); 4]);
        let mut log = Log::new();
        assert_eq!(freeze(&mut log, 5000).unwrap(), State::Freezing);
        assert_eq!((log.attempts(), log.sleeps.len()), (1000, 39));
    }

    #[test]
    fn connecting_to_a_server_that_has_just_been_started() {
        // `io::Error` knows that a refused connection is worth another attempt.
        #[retry(stop = attempts(11), wait = fixed(500ms), sleep = |delay| log.sleep(delay))]
        fn connect(log: &mut Log, up_at: usize, otherwise: ErrorKind) -> io::Result<()> {
            if log.attempt() >= up_at { Ok(()) } else { Err(otherwise.into()) }
        }
        let mut log = Log::new();
        connect(&mut log, 4, ErrorKind::ConnectionRefused).unwrap();
        assert_eq!(log.sleeps, all_ms([500; 3]));
        let mut log = Log::new();
        connect(&mut log, 99, ErrorKind::ConnectionRefused).unwrap_err();
        assert_eq!(log.attempts(), 11);
        let mut log = Log::new();
        connect(&mut log, 99, ErrorKind::PermissionDenied).unwrap_err();
        assert_eq!(log.attempts(), 1);
    }
}

mod databases_and_commits {
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
                match log.attempt() {
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
                log.attempt();
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
            log.attempt();
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
            codes.get(log.attempt() - 1).map_or(Ok(()), |code| Err(*code))
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
            log.attempt();
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
            log.attempt();
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
        let result: Result<u32, &str> = retry::block!(
            stop = attempts(16),
            wait = none(),
            on = |e| *e == "version exists",
            async {
                attempts += 1;
                version += 1;
                if version <= winners { Err("version exists") } else { Ok(version) }
            }
        );
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
                match log.attempt() {
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
            log.attempt();
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
}

mod http_grpc_and_object_stores {
    use super::*;

    /// What many clients know of an answer that was not good.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Status {
        code: u16,
        retry_after: Option<Duration>,
    }

    impl Status {
        const fn new(code: u16) -> Self {
            Self { code, retry_after: None }
        }
        const fn after(code: u16, millis: u64) -> Self {
            Self { code, retry_after: Some(ms(millis)) }
        }
    }

    impl Transient for Status {
        fn verdict(&self) -> Verdict {
            let verdict = match self.code {
                429 => Verdict::Retry.throttled(),
                503 => Verdict::Retry,
                504 => Verdict::Ambiguous,
                _ => Verdict::Final,
            };
            self.retry_after.map_or(verdict, |wait| verdict.retry_after(wait))
        }
    }

    /// The answers one after the other, then success.
    fn answer(log: &mut Log, answers: &[Status]) -> Result<(), Status> {
        answers.get(log.attempt() - 1).map_or(Ok(()), |status| Err(*status))
    }

    #[test]
    fn an_object_store_that_repeats_what_is_safe() {
        struct Request {
            idempotent: Option<bool>,
            method: &'static str,
        }
        impl Request {
            #[retry(
                stop = attempts(11) | within(3m),
                wait = decorrelated(100ms, 15s),
                on = transient(),
                idempotent = self.idempotent.unwrap_or(matches!(self.method, "GET" | "HEAD")),
                sleep = |delay| log.sleep(delay),
            )]
            fn send(&self, log: &mut Log, answers: &[Status]) -> Result<(), Status> {
                answer(log, answers)
            }
        }
        let timeouts = [Status::new(504); 99];
        let get = Request { idempotent: None, method: "GET" };
        let mut log = Log::new();
        assert_eq!(get.send(&mut log, &timeouts), Err(Status::new(504)));
        assert_eq!(log.attempts(), 11);
        assert!(log.sleeps[0] <= ms(300));
        for pair in log.sleeps.windows(2) {
            assert!(pair[1] >= ms(100) && pair[1] <= (pair[0] * 3).min(ms(15_000)));
        }
        // It would come again after the limit.
        let mut log = Log::new();
        let later = [Status::after(503, 180_000)];
        assert_eq!(get.send(&mut log, &later), Err(later[0]));
        let mut log = Log::new();
        assert_eq!(get.send(&mut log, &[Status::after(503, 170_000)]), Ok(()));
        assert_eq!(log.sleeps, all_ms([170_000]));

        let post = Request { idempotent: None, method: "POST" };
        let mut log = Log::new();
        assert_eq!(post.send(&mut log, &timeouts), Err(Status::new(504)));
        assert_eq!(log.attempts(), 1);
        assert_eq!(post.send(&mut Log::new(), &[Status::new(503); 3]), Ok(()));
        let marked = Request { idempotent: Some(true), method: "POST" };
        assert_eq!(marked.send(&mut Log::new(), &timeouts[..3]), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn an_http_client_with_listed_delays() {
        #[retry(stop = attempts(4), wait = sequence([2s, 4s, 8s]), on = transient())]
        async fn fetch(log: &mut Log, answers: &[Status]) -> Result<(), Status> {
            answer(log, answers)
        }
        let mut log = Log::new();
        assert_eq!(fetch(&mut log, &[Status::new(503); 9]).await, Err(Status::new(503)));
        assert_eq!(log.gaps(), all_ms([2000, 4000, 8000]));
        let mut log = Log::new();
        assert_eq!(fetch(&mut log, &[Status::new(404)]).await, Err(Status::new(404)));
        assert_eq!(log.attempts(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_cluster_client_that_waits_longer_if_the_server_asks_it_to() {
        // `on` may be left out: the error knows.
        #[retry(stop = attempts(5), wait = exponential(500ms).cap(5s))]
        async fn call(log: &mut Log, answers: &[Status]) -> Result<(), Status> {
            answer(log, answers)
        }
        let mut log = Log::new();
        let answers = [Status::after(429, 100), Status::after(503, 20_000), Status::new(503)];
        assert_eq!(call(&mut log, &answers).await, Ok(()));
        assert_eq!(log.gaps(), all_ms([500, 20_000, 2000]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_search_engine_that_cuts_a_hint_to_its_cap() {
        #[retry(
            stop = attempts(4),
            wait = exponential(1s).cap(20s).equal_jitter(),
            on = transient(),
            max_hint = clamp(20s),
        )]
        async fn call(log: &mut Log, answers: &[Status]) -> Result<(), Status> {
            answer(log, answers)
        }
        let mut log = Log::new();
        let answers = [Status::new(503), Status::after(503, 3_600_000), Status::after(503, 1)];
        assert_eq!(call(&mut log, &answers).await, Ok(()));
        assert_within(&log.gaps(), [(500, 1001), (20_000, 20_001), (2000, 4001)]);
    }

    #[test]
    fn a_package_manager_whose_errors_lie_in_a_chain() {
        #[derive(Debug)]
        struct HttpStatus(u32);
        impl fmt::Display for HttpStatus {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "status {}", self.0)
            }
        }
        impl std::error::Error for HttpStatus {}

        #[retry(
            stop = attempts(4),
            wait = random(500ms..1500ms).times(1).then(linear(3500ms, 3s).cap(10s)),
            on = (is::<HttpStatus>() | source_is::<HttpStatus>())
                & (|e: &anyhow::Error| !e.to_string().contains("yanked")),
            max_hint = clamp(10s),
            sleep = |delay| log.sleep(delay),
        )]
        fn fetch(log: &mut Log, wrap: impl Fn(HttpStatus) -> anyhow::Error) -> anyhow::Result<()> {
            log.attempt();
            Err(wrap(HttpStatus(502)))
        }
        let mut log = Log::new();
        let error = fetch(&mut log, anyhow::Error::new).unwrap_err();
        assert_eq!(error.to_string(), "status 502");
        assert_within(&log.sleeps, [(500, 1500), (3500, 3500), (6500, 6500)]);
        let mut log = Log::new();
        fetch(&mut log, |it| anyhow::Error::new(it).context("index")).unwrap_err();
        assert_eq!(log.attempts(), 4);
        let mut log = Log::new();
        fetch(&mut log, |it| anyhow::Error::new(it).context("yanked")).unwrap_err();
        assert_eq!(log.attempts(), 1);
        let mut log = Log::new();
        fetch(&mut log, |_| anyhow::anyhow!("status 502")).unwrap_err();
        assert_eq!(log.attempts(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_whose_io_error_hides_under_its_own() {
        #[derive(Debug)]
        struct ClientError(io::Error);
        impl fmt::Display for ClientError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("client")
            }
        }
        impl std::error::Error for ClientError {
            fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                Some(&self.0)
            }
        }
        #[retry(
            stop = attempts(4),
            wait = exponential(2s).cap(30s),
            on = source_is::<io::Error>(),
        )]
        async fn get(log: &mut Log) -> Result<(), ClientError> {
            log.attempt();
            Err(ClientError(ErrorKind::ConnectionReset.into()))
        }
        let mut log = Log::new();
        get(&mut log).await.unwrap_err();
        assert_eq!(log.gaps(), all_ms([2000, 4000, 8000]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_user_defined_function_on_another_server() {
        struct Transform {
            retry_times: u32,
            endpoint: String,
        }
        fn retry_on(error: &str) -> bool {
            error.starts_with("unavailable")
        }
        impl Transform {
            async fn call(&self, log: &mut Log, error: &str) -> Result<String, String> {
                retry::block!(
                    stop = attempts(1 + self.retry_times),
                    wait = exponential(50ms).cap(30s),
                    on = retry_on,
                    async {
                        // Borrowed, where a closure would have wanted a clone for each attempt.
                        let endpoint = &self.endpoint;
                        match log.attempt() {
                            1..=12 => Err(format!("{error}: {endpoint}")),
                            _ => Ok(endpoint.clone()),
                        }
                    }
                )
            }
        }
        let transform = Transform { retry_times: 20, endpoint: "udf:8815".to_owned() };
        let mut log = Log::new();
        assert_eq!(transform.call(&mut log, "unavailable").await, Ok("udf:8815".to_owned()));
        let expected = [50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000];
        assert_eq!(log.gaps(), all_ms(expected));
        let mut log = Log::new();
        let error = transform.call(&mut log, "invalid").await;
        assert_eq!((error, log.attempts()), (Err("invalid: udf:8815".to_owned()), 1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_server_whose_first_retry_is_made_at_once() {
        #[derive(Clone, Copy, Debug, PartialEq)]
        enum Code {
            Unavailable,
            Aborted,
            NotFound,
        }
        #[retry(
            stop = attempts(10) | within(60s),
            wait = none().times(1).then(exponential(100ms).cap(5s)),
            on = matches(Err(Code::Unavailable | Code::Aborted)),
            idempotent,
        )]
        async fn get_page(log: &mut Log, code: Code) -> Result<(), Code> {
            log.attempt();
            Err(code)
        }
        let mut log = Log::new();
        assert_eq!(get_page(&mut log, Code::Aborted).await, Err(Code::Aborted));
        assert_eq!(log.gaps(), all_ms([0, 100, 200, 400, 800, 1600, 3200, 5000, 5000]));
        let mut log = Log::new();
        assert_eq!(get_page(&mut log, Code::Unavailable).await, Err(Code::Unavailable));
        assert_eq!(log.attempts(), 10);
        let mut log = Log::new();
        assert_eq!(get_page(&mut log, Code::NotFound).await, Err(Code::NotFound));
        assert_eq!(log.attempts(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn an_ingress_that_repeats_until_it_is_told_not_to() {
        #[derive(Clone, Copy, Debug, PartialEq)]
        enum RpcError {
            NotSent,
            Lost,
            Rejected,
        }
        #[allow(clippy::trivially_copy_pass_by_ref)] // as the original, whose error is larger
        fn verdict_of(error: &RpcError) -> Verdict {
            match error {
                RpcError::NotSent => Verdict::Retry,
                RpcError::Lost => Verdict::Ambiguous,
                RpcError::Rejected => Verdict::Final,
            }
        }
        #[retry(
            forever,
            wait = exponential(50ms).cap(1s),
            on = verdict_of,
            idempotent = is_idempotent,
        )]
        async fn dispatch(
            log: &mut Log,
            is_idempotent: bool,
            errors: &[RpcError],
        ) -> Result<(), RpcError> {
            errors.get(log.attempt() - 1).map_or(Ok(()), |error| Err(*error))
        }
        let mut log = Log::new();
        assert_eq!(dispatch(&mut log, false, &[RpcError::NotSent; 7]).await, Ok(()));
        assert_eq!(log.gaps(), all_ms([50, 100, 200, 400, 800, 1000, 1000]));
        let lost = [RpcError::NotSent, RpcError::Lost, RpcError::Rejected];
        assert_eq!(dispatch(&mut Log::new(), false, &lost).await, Err(RpcError::Lost));
        assert_eq!(dispatch(&mut Log::new(), true, &lost).await, Err(RpcError::Rejected));
    }

    #[tokio::test(start_paused = true)]
    async fn connecting_to_a_daemon_until_a_time_is_up() {
        #[retry(stop = within(limit), wait = exponential(first).cap(max), on = any_error())]
        async fn connect(
            log: &mut Log,
            limit: Duration,
            first: Duration,
            max: Duration,
        ) -> Result<(), String> {
            Err(format!("attempt {}", log.attempt()))
        }
        let mut log = Log::new();
        let error = connect(&mut log, ms(400), ms(5), ms(100)).await;
        assert_eq!(log.gaps(), all_ms([5, 10, 20, 40, 80, 100, 100]));
        assert_eq!(error, Err("attempt 8".to_owned()), "the last real error");
    }

    #[tokio::test(start_paused = true)]
    async fn a_table_that_takes_only_part_of_what_it_is_given() {
        let mut log = Log::new();
        let mut items: Vec<u32> = (0..10).collect();
        let mut written = Vec::new();
        let unprocessed: Result<usize, String> = retry::block!(
            stop = attempts(6),
            wait = exponential(100ms).cap(1s),
            on = ok(|unprocessed| *unprocessed > 0) | any_error(),
            async {
                // Takes four at most, and none the second time.
                let taken = if log.attempt() == 2 { 0 } else { items.len().min(4) };
                written.extend(items.drain(..taken));
                Ok(items.len())
            }
        );
        assert_eq!(unprocessed, Ok(0));
        assert_eq!(written, (0..10).collect::<Vec<_>>());
        assert_eq!(log.gaps(), all_ms([100, 200, 400]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_key_exchange_within_a_quarter_of_an_hour() {
        #[retry(stop = within(15m), wait = exponential(500ms).cap(60s), on = transient())]
        async fn send(log: &mut Log) -> Result<(), Status> {
            log.attempt();
            Err(Status::new(503))
        }
        let mut log = Log::new();
        assert_eq!(send(&mut log).await, Err(Status::new(503)));
        // 0.5 + 1 + … + 32 s is 63.5 s, and then 13 whole minutes fit.
        assert_eq!(log.attempts(), 8 + 13);
        assert_eq!(*log.starts.last().unwrap(), ms(63_500 + 13 * 60_000));
    }
}

mod reconnecting_consuming_and_waiting {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_account_updater_that_judges_a_bool() {
        #[retry(
            forever,
            wait = exponential(4s).factor(5).cap(1d).full_jitter(),
            on = output(|updated| !updated),
            sleep = |delay| {
                log.sleep(delay);
                std::future::ready(())
            },
        )]
        async fn update(log: &mut Log, succeeds_at: usize) -> bool {
            log.attempt() == succeeds_at
        }
        let mut log = Log::new();
        assert!(update(&mut log, 10).await);
        let most = [4, 20, 100, 500, 2500, 12_500, 62_500, 86_400, 86_400];
        assert_within(&log.sleeps, most.map(|secs| (0, secs * 1000)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_handed_out_as_a_boxed_future() {
        use std::pin::Pin;
        #[derive(Clone)]
        struct Api {
            offline: bool,
        }
        impl Api {
            #[retry(stop = attempts(4), wait = none(), on = |_| !offline)]
            fn relays(
                self,
                calls: std::sync::Arc<std::sync::atomic::AtomicU32>,
                offline: bool,
            ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'static>> {
                Box::pin(async move {
                    calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    Err(if self.offline { "offline" } else { "refused" }.to_owned())
                })
            }
        }
        for (offline, expected) in [(false, 4), (true, 1)] {
            let calls = std::sync::Arc::default();
            let api = Api { offline };
            let future = api.relays(std::sync::Arc::clone(&calls), offline);
            assert!(tokio::spawn(future).await.unwrap().is_err());
            assert_eq!(calls.load(std::sync::atomic::Ordering::Relaxed), expected);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_websocket_that_connects_until_it_works() {
        struct Stream(usize);
        async fn connect(log: &mut Log) -> Stream {
            retry::block!(forever, wait = exponential(500ms).cap(60s), on = any_error(), async {
                match log.attempt() {
                    n @ 1..=9 => Err(n),
                    n => Ok(Stream(n)),
                }
            })
        }
        let mut log = Log::new();
        // The stream itself, not a `Result` that could not be an `Err`.
        assert_eq!(connect(&mut log).await.0, 10);
        let expected = [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000];
        assert_eq!(log.gaps(), all_ms(expected));
    }

    #[tokio::test(start_paused = true)]
    async fn polling_until_something_is_there_or_a_time_is_up() {
        async fn poll(
            log: &mut Log,
            max: Duration,
            every: Duration,
            there_at: usize,
        ) -> Result<Option<usize>, String> {
            retry::block!(
                stop = within(max),
                wait = fixed(every),
                on = ok(Option::is_none),
                async {
                    match log.attempt() {
                        13 => Err("failed for good".to_owned()),
                        n => Ok((n >= there_at).then_some(n)),
                    }
                }
            )
        }
        let mut log = Log::new();
        assert_eq!(poll(&mut log, ms(1000), ms(100), 5).await, Ok(Some(5)));
        assert_eq!(log.gaps(), all_ms([100; 4]));
        assert_eq!(poll(&mut Log::new(), ms(1000), ms(100), 99).await, Ok(None));
        let failed = poll(&mut Log::new(), ms(10_000), ms(100), 99).await;
        assert_eq!(failed, Err("failed for good".to_owned()));
    }

    #[test]
    fn a_registry_polled_until_the_new_version_is_listed() {
        let (mut polls, mut sleeps) = (0, 0);
        let listed: Result<Vec<&str>, String> = retry::block!(
            stop = within(1h) | attempts(60),
            wait = fixed(1s),
            on = ok(Vec::is_empty),
            sleep = |_| sleeps += 1,
            || {
                polls += 1;
                Ok(if polls < 8 { vec![] } else { vec!["1.0.0"] })
            }
        );
        assert_eq!(listed, Ok(vec!["1.0.0"]));
        assert_eq!((polls, sleeps), (8, 7));
    }

    #[tokio::test(start_paused = true)]
    async fn a_consumer_whose_waits_grow_up_to_ten_seconds() {
        #[retry(
            stop = attempts(25),
            wait = linear(500ms, 500ms).times(19).then(fixed(10s)),
            on = any_error(),
        )]
        async fn pull(log: &mut Log) -> Result<(), usize> {
            Err(log.attempt())
        }
        let mut log = Log::new();
        assert_eq!(pull(&mut log).await, Err(25));
        let gaps = log.gaps();
        assert_eq!(gaps[..3], all_ms([500, 1000, 1500]));
        assert_eq!(gaps[17..], all_ms([9000, 9500, 10_000, 10_000, 10_000, 10_000, 10_000]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_connector_with_a_limit_only_if_one_is_configured() {
        struct Options {
            max_reconnects: Option<u32>,
        }
        #[retry(
            stop = options.max_reconnects.map(attempts),
            forever,
            wait = exponential(2ms).cap(4s),
            on = |n| *n < 200,
        )]
        async fn connect(log: &mut Log, options: &Options) -> Result<(), usize> {
            Err(log.attempt())
        }
        let mut log = Log::new();
        let options = Options { max_reconnects: Some(60) };
        assert_eq!(connect(&mut log, &options).await, Err(60));
        assert_eq!(
            log.gaps()[..12],
            all_ms([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4000])
        );
        let options = Options { max_reconnects: None };
        assert_eq!(connect(&mut Log::new(), &options).await, Err(200));
    }

    #[tokio::test(start_paused = true)]
    async fn an_operation_whose_limit_of_zero_means_that_it_is_off() {
        #[retry(
            stop = attempts(1 + limit),
            wait = exponential(20ms).cap(1s),
            on = any_error(),
            enabled = limit > 0,
        )]
        async fn read(log: &mut Log, limit: u32) -> Result<(), usize> {
            Err(log.attempt())
        }
        assert_eq!(read(&mut Log::new(), 0).await, Err(1));
        let mut log = Log::new();
        assert_eq!(read(&mut log, 4).await, Err(5));
        assert_eq!(log.gaps(), all_ms([20, 40, 80, 160]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_that_backs_off_only_while_it_is_throttled() {
        #[derive(Clone, Copy, Debug)]
        enum Put {
            Throttled,
            Failed,
        }
        #[retry(
            stop = attempts(9),
            wait = none().throttled(exponential(100ms).cap(2s)),
            on = |e| match e {
                Put::Throttled => Verdict::Retry.throttled(),
                Put::Failed => Verdict::Retry,
            },
        )]
        async fn put(log: &mut Log, failures: &[Put]) -> Result<(), Put> {
            failures.get(log.attempt() - 1).map_or(Ok(()), |put| Err(*put))
        }
        use Put::{Failed, Throttled};
        let mut log = Log::new();
        put(&mut log, &[Throttled, Failed, Throttled, Throttled]).await.unwrap();
        assert_eq!(log.gaps(), all_ms([100, 0, 400, 800]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_node_that_waits_for_its_cluster_to_be_provisioned() {
        let mut log = Log::new();
        let config: &str = retry::block!(
            forever,
            wait = exponential(100ms).cap(1s),
            on = any_error(),
            async || -> Result<&'static str, String> {
                if log.attempt() < 7 { Err("not provisioned".to_owned()) } else { Ok("nodes") }
            }
        );
        assert_eq!(config, "nodes");
        assert_eq!(log.gaps(), all_ms([100, 200, 400, 800, 1000, 1000]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_producer_whose_queue_is_full() {
        /// The error hands the record back.
        struct QueueFull(String);
        fn send(record: String, full: bool) -> Result<(), QueueFull> {
            if full { Err(QueueFull(record)) } else { Ok(()) }
        }
        async fn produce(
            log: &mut Log,
            record: String,
            timeout: Option<Duration>,
            free_at: usize,
        ) -> Result<(), String> {
            let mut slot = Some(record);
            let sent = retry::block!(
                stop = timeout.map(within),
                forever,
                wait = fixed(100ms),
                on = any_error(),
                async {
                    let full = log.attempt() < free_at;
                    send(slot.take()?, full).map_err(|QueueFull(record)| slot = Some(record)).ok()
                }
            );
            sent.ok_or_else(|| slot.unwrap_or_default())
        }
        let mut log = Log::new();
        assert_eq!(produce(&mut log, "r".to_owned(), None, 50).await, Ok(()));
        assert_eq!(log.attempts(), 50);
        let mut log = Log::new();
        let timeout = Some(ms(500));
        assert_eq!(produce(&mut log, "r".to_owned(), timeout, 50).await, Err("r".to_owned()));
        assert_eq!(log.attempts(), 5);
    }
}
