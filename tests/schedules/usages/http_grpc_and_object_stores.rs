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
    answers.get(log.nth() - 1).map_or(Ok(()), |status| Err(*status))
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
    // Spread as far as the limit allows.
    assert!((ms(170_000)..ms(180_000)).contains(&log.sleeps[0]), "{:?}", log.sleeps);

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
        log.nth();
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
        log.nth();
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
                    match log.nth() {
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
        log.nth();
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
        errors.get(log.nth() - 1).map_or(Ok(()), |error| Err(*error))
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
        Err(format!("attempt {}", log.nth()))
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
            let taken = if log.nth() == 2 { 0 } else { items.len().min(4) };
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
        log.nth();
        Err(Status::new(503))
    }
    let mut log = Log::new();
    assert_eq!(send(&mut log).await, Err(Status::new(503)));
    // 0.5 + 1 + … + 32 s is 63.5 s, and then 13 whole minutes fit.
    assert_eq!(log.attempts(), 8 + 13);
    assert_eq!(*log.starts.last().unwrap(), ms(63_500 + 13 * 60_000));
}
