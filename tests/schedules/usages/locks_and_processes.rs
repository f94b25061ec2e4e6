use super::*;

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
        if log.nth() <= held {
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
        Err(match log.nth() {
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
            let busy = log.nth() < 5;
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
        let attempt = log.nth();
        (attempt > busy).then_some(attempt)
    }
    let mut log = Log::new();
    assert_eq!(acquire(&mut log, 7).await, Some(8));
    assert_eq!(log.gaps(), all_ms([10, 20, 40, 80, 160, 250, 250]));
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_process_to_come_up() {
    #[retry(stop = within(limit), wait = fixed(100ms), on = matches(Ok(false)))]
    async fn is_up(log: &mut Log, limit: Duration, up_at: usize) -> io::Result<bool> {
        Ok(log.nth() >= up_at)
    }
    let mut log = Log::new();
    assert!(is_up(&mut log, ms(10_000), 4).await.unwrap());
    assert_eq!(log.gaps(), all_ms([100; 3]));
    let mut log = Log::new();
    assert!(!is_up(&mut log, ms(10_000), 999).await.unwrap());
    assert_eq!(log.attempts(), 100);
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
fn removing_a_control_group_with_factorial_delays() {
    #[retry(
        stop = attempts(5),
        wait = by(|s| 10ms * (1..=s.attempt()).product::<u32>()).cap(100ms),
        on = any_error(),
        sleep = |delay| log.sleep(delay),
    )]
    fn remove(log: &mut Log) -> io::Result<()> {
        log.nth();
        Err(ErrorKind::ResourceBusy.into())
    }
    let mut log = Log::new();
    remove(&mut log).unwrap_err();
    assert_eq!(log.sleeps, all_ms([10, 20, 60, 100]));
}

#[test]
fn connecting_to_a_server_that_has_just_been_started() {
    // `io::Error` knows that a refused connection is worth another attempt.
    #[retry(stop = attempts(11), wait = fixed(500ms), sleep = |delay| log.sleep(delay))]
    fn connect(log: &mut Log, up_at: usize, otherwise: ErrorKind) -> io::Result<()> {
        if log.nth() >= up_at { Ok(()) } else { Err(otherwise.into()) }
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
