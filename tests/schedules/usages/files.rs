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
        if log.nth() <= blocked {
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
        log.nth();
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

    async fn download(max_retries: u32, interrupted: bool, calls: &mut u32) -> anyhow::Result<()> {
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

#[tokio::test(start_paused = true)]
async fn waiting_until_a_key_file_exists() {
    let mut log = Log::new();
    let key: Vec<u8> = retry::block!(
        forever,
        wait = fixed(500ms),
        on = any_error(),
        async || -> io::Result<Vec<u8>> {
            match log.nth() {
                1..=3 => Err(ErrorKind::NotFound.into()),
                _ => Ok(vec![1, 2, 3]),
            }
        }
    );
    assert_eq!(key, [1, 2, 3]);
    assert_eq!(log.gaps(), all_ms([500; 3]));
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
        if log.nth() < frozen_at { Ok(State::Freezing) } else { Ok(State::Frozen) }
    }
    let mut log = Log::new();
    assert_eq!(freeze(&mut log, 120).unwrap(), State::Frozen);
    assert_eq!(log.sleeps, [Duration::from_micros(10); 4]);
    let mut log = Log::new();
    assert_eq!(freeze(&mut log, 5000).unwrap(), State::Freezing);
    assert_eq!((log.attempts(), log.sleeps.len()), (1000, 39));
}
