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
        log.nth() == succeeds_at
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
            match log.nth() {
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
        retry::block!(stop = within(max), wait = fixed(every), on = ok(Option::is_none), async {
            match log.nth() {
                13 => Err("failed for good".to_owned()),
                n => Ok((n >= there_at).then_some(n)),
            }
        })
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
        Err(log.nth())
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
        Err(log.nth())
    }
    let mut log = Log::new();
    let options = Options { max_reconnects: Some(60) };
    assert_eq!(connect(&mut log, &options).await, Err(60));
    assert_eq!(log.gaps()[..12], all_ms([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4000]));
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
        Err(log.nth())
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
        failures.get(log.nth() - 1).map_or(Ok(()), |put| Err(*put))
    }
    use Put::{Failed, Throttled};
    let mut log = Log::new();
    put(&mut log, &[Throttled, Failed, Throttled, Throttled]).await.unwrap();
    assert_eq!(log.gaps(), all_ms([100, 0, 200, 400]));
}

#[tokio::test(start_paused = true)]
async fn a_node_that_waits_for_its_cluster_to_be_provisioned() {
    let mut log = Log::new();
    let config: &str = retry::block!(
        forever,
        wait = exponential(100ms).cap(1s),
        on = any_error(),
        async || -> Result<&'static str, String> {
            if log.nth() < 7 { Err("not provisioned".to_owned()) } else { Ok("nodes") }
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
                let full = log.nth() < free_at;
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
