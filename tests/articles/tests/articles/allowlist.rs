//! An allowlist of statuses, full jitter, a key, a breaker, settings from the environment, and a number to
//! be woken by.

mod breaker;

use std::sync::LazyLock;
use std::time::Duration;

use http::{Method, StatusCode};
use reqwest::{Client, Response};
use retry::http::{IDEMPOTENCY_KEY, IdempotencyKey, Statuses, is_idempotent, statuses};
use retry::reqwest::RequestError;
use retry::{
    Breaker, Interrupted, PolicyConfig, Report, StopReason, Transient, Verdict, record, retry,
    retry_with,
};
use tokio::time::{Instant, sleep};

use crate::server::{Reply, Server, answer};
use crate::{ms, secs};

/// 408, 425, 429, 500, 502, 503, 504.
const RETRIED: Statuses = statuses::transient().with_500();

static SETTINGS: LazyLock<PolicyConfig> = LazyLock::new(|| {
    let settings = PolicyConfig::builder().attempts(5).within(secs(20));
    settings.exponential(ms(500)).cap(secs(8)).full_jitter().build().unwrap()
});

/// The article's client of one dependency.
struct Api<'a> {
    client: Client,
    settings: PolicyConfig,
    breaker: &'a Breaker,
}

impl<'a> Api<'a> {
    fn new(breaker: &'a Breaker) -> Self {
        Self { client: client(secs(30)), settings: SETTINGS.clone(), breaker }
    }

    /// One that does not wait long for an answer.
    fn hasty(breaker: &'a Breaker) -> Self {
        Self { client: client(ms(500)), ..Self::new(breaker) }
    }

    #[retry(
        policy = self.settings,
        on = ok(|it: &Response| RETRIED.for_request(&method, key.is_some()).verdict_of(it.status(), it.headers()))
            | transient(),
        idempotent = key.is_some() || is_idempotent(&method),
        breaker = self.breaker,
    )]
    async fn send(
        &self,
        method: Method,
        url: &str,
        key: Option<&IdempotencyKey>,
    ) -> Result<Response, RequestError> {
        let mut request = self.client.request(method.clone(), url);
        if let Some(key) = key {
            request = request.header(IDEMPOTENCY_KEY, key);
        }
        Ok(request.send().await?)
    }
}

fn client(timeout: Duration) -> Client {
    Client::builder().no_proxy().timeout(timeout).build().unwrap()
}

/// Five failures, 30 seconds.
const fn breaker() -> Breaker {
    Breaker::consecutive(5).open_for(secs(30)).jitter_factor(0.0)
}

/// Without sleeping, with every jitter `fraction` of the way from its lowest to its highest.
async fn reported<T>(fraction: f64, call: impl Future<Output = T>) -> (T, Report) {
    let overrides = retry_with().virtual_time().draw(fraction);
    let (outcome, mut reports) = record(overrides.scope(call)).await;
    (outcome, reports.pop().unwrap())
}

fn delays(report: &Report) -> Vec<f64> {
    report.delays().map(|delay| delay.as_secs_f64()).collect()
}

#[tokio::test]
async fn the_statuses_of_the_list_are_retried_and_no_others() {
    const RETRY: [u16; 7] = [408, 425, 429, 500, 502, 503, 504];
    let others = [301, 400, 401, 403, 404, 409, 410, 413, 422, 501, 505];
    for status in RETRY.iter().chain(&others).copied() {
        let server = Server::of(move |n, _| answer(if n == 1 { status } else { 200 }, &[])).await;
        let breaker = breaker();
        let api = Api::new(&breaker);
        let (outcome, report) = reported(1.0, api.send(Method::GET, &server.url, None)).await;
        let retried = RETRY.contains(&status);
        assert_eq!(outcome.unwrap().status(), if retried { 200 } else { status });
        assert_eq!(server.requests(), if retried { 2 } else { 1 }, "{status}");
        assert_eq!(report.attempts() as usize, server.requests());
    }
}

#[tokio::test]
async fn waits_are_spread_from_nothing_to_their_whole_and_five_attempts_are_the_end() {
    let server = Server::of(|_, _| answer(500, &[])).await;
    for (fraction, expected) in
        [(0.0, [0.0; 4]), (0.5, [0.25, 0.5, 1.0, 2.0]), (1.0, [0.5, 1.0, 2.0, 4.0])]
    {
        let breaker = breaker();
        let api = Api::new(&breaker);
        let (outcome, report) = reported(fraction, api.send(Method::GET, &server.url, None)).await;
        assert_eq!(outcome.unwrap().status(), 500);
        assert_eq!((delays(&report), report.reason()), (expected.to_vec(), StopReason::Attempts));
    }
    assert_eq!(server.requests(), 3 * 5);
}

#[tokio::test]
async fn a_post_without_a_key_is_sent_once_when_nobody_knows_whether_it_arrived() {
    for hang in [true, false] {
        let server = Server::of(move |_, _| if hang { Reply::Hang } else { Reply::Close }).await;
        let breaker = breaker();
        let api = Api::hasty(&breaker);
        let (outcome, report) = reported(0.0, api.send(Method::POST, &server.url, None)).await;
        assert!(outcome.is_err());
        assert_eq!((server.requests(), report.reason()), (1, StopReason::Ambiguous));
    }
}

#[tokio::test]
async fn a_key_made_of_the_business_event_is_the_same_on_every_attempt() {
    let server = Server::of(|n, _| match n {
        1 => Reply::Hang,
        2 => answer(500, &[]),
        3 => answer(409, &[]), // the first one is still running
        _ => answer(200, &[]),
    })
    .await;
    let breaker = breaker();
    let api = Api::hasty(&breaker);
    let key = IdempotencyKey::new("invoice-2026-10/customer-7").unwrap();
    let (outcome, _) = reported(0.0, api.send(Method::POST, &server.url, Some(&key))).await;
    assert_eq!(outcome.unwrap().status(), 200);
    let seen = server.seen();
    let keys: Vec<_> = seen.iter().map(|it| &it.headers()[IDEMPOTENCY_KEY]).collect();
    assert_eq!(keys, ["invoice-2026-10/customer-7"; 4]);

    // The same key with another body, or none where one is needed, stays wrong.
    for status in [400, 422] {
        let server = Server::of(move |_, _| answer(status, &[])).await;
        let (outcome, _) = reported(0.0, api.send(Method::POST, &server.url, Some(&key))).await;
        assert_eq!((outcome.unwrap().status().as_u16(), server.requests()), (status, 1));
    }
}

#[tokio::test]
async fn a_hint_is_waited_for_in_seconds_and_as_a_date() {
    // The article reads the first form only, and comes back after half a second for the second.
    const SECONDS: &[(&str, &str)] = &[("retry-after", "10")];
    const DATE: &[(&str, &str)] = &[
        ("retry-after", "Fri, 31 Dec 1999 23:59:40 GMT"),
        ("date", "Fri, 31 Dec 1999 23:59:30 GMT"),
    ];
    for headers in [SECONDS, DATE] {
        let server = Server::of(move |n, _| match n {
            1 => answer(429, headers),
            _ => answer(200, &[]),
        })
        .await;
        let breaker = breaker();
        let api = Api::new(&breaker);
        let (outcome, report) = reported(0.0, api.send(Method::GET, &server.url, None)).await;
        assert_eq!((outcome.unwrap().status(), delays(&report)), (StatusCode::OK, vec![10.0]));
        // Spread upward, so that those who were told the same do not come back together.
        let server = Server::of(move |n, _| match n {
            1 => answer(429, headers),
            _ => answer(200, &[]),
        })
        .await;
        let (_, report) = reported(1.0, api.send(Method::GET, &server.url, None)).await;
        assert_eq!(delays(&report), [11.0]);
    }
}

#[tokio::test]
async fn a_hint_of_an_hour_ends_the_call_at_once_with_the_real_answer() {
    let server = Server::of(|_, _| answer(429, &[("retry-after", "3600")])).await;
    let breaker = breaker();
    let api = Api::new(&breaker);
    let (outcome, report) = reported(1.0, api.send(Method::GET, &server.url, None)).await;
    let response = outcome.unwrap();
    assert_eq!(response.headers()["retry-after"], "3600");
    assert_eq!(response.text().await.unwrap(), "body of 429");
    assert_eq!((server.requests(), report.reason()), (1, StopReason::HintTooLong));
    assert!(report.elapsed() < Some(secs(20)));
}

#[derive(Debug, PartialEq)]
enum Error {
    Down,
    Cut,
}

impl Transient for Error {
    fn verdict(&self) -> Verdict {
        Verdict::Retry
    }
}

impl From<Interrupted> for Error {
    fn from(_: Interrupted) -> Self {
        Self::Cut
    }
}

/// Attempts of 5 s with waits of up to 8 s end at 31 s in the article, whose limit is looked at between
/// attempts only.
#[tokio::test(start_paused = true)]
async fn an_attempt_that_still_runs_at_the_limit_is_cut() {
    #[retry(stop = attempts(5) | within(20s), wait = fixed(2s))]
    async fn between_attempts(starts: &mut Vec<u64>, start: Instant) -> Result<(), Error> {
        starts.push(start.elapsed().as_secs());
        sleep(secs(5)).await;
        Err(Error::Down)
    }
    let (mut starts, start) = (Vec::new(), Instant::now());
    between_attempts(&mut starts, start).await.unwrap_err();
    // None starts at the limit or after it, but the last one runs over it.
    assert_eq!((starts, start.elapsed()), (vec![0, 7, 14], secs(19)));

    #[retry(stop = attempts(5), wait = fixed(1s), deadline = 20s)]
    async fn cut(starts: &mut Vec<u64>, start: Instant) -> Result<(), Error> {
        starts.push(start.elapsed().as_secs());
        sleep(secs(5)).await;
        Err(Error::Down)
    }
    let (mut starts, start) = (Vec::new(), Instant::now());
    let (outcome, reports) = record(cut(&mut starts, start)).await;
    assert_eq!((starts, start.elapsed()), (vec![0, 6, 12, 18], secs(20)));
    // With the last real error, and not with one about the time.
    assert_eq!((outcome, reports[0].reason()), (Err(Error::Down), StopReason::Time));
}

#[tokio::test(start_paused = true)]
async fn no_room_for_the_shortest_wait_fails_fast() {
    #[retry(stop = attempts(5) | within(limit), wait = exponential(500ms).cap(8s))]
    async fn send(limit: Duration) -> Result<(), Error> {
        Err(Error::Down)
    }
    let start = Instant::now();
    let (_, reports) = record(send(ms(200))).await;
    assert_eq!((reports[0].attempts(), reports[0].reason()), (1, StopReason::Time));
    assert_eq!(start.elapsed(), ms(0));
}

#[tokio::test]
async fn the_settings_come_from_the_environment() {
    let vars = [
        ("ORDERS_RETRY_ATTEMPTS", "3"),
        ("ORDERS_RETRY_EXPONENTIAL", "250ms"),
        ("ORDERS_RETRY_WITHIN", "5s"),
    ];
    let settings = SETTINGS.clone().with_vars("ORDERS_RETRY_", vars).unwrap();
    let closed = breaker();
    let api = Api { settings, ..Api::new(&closed) };
    // Nobody listens there.
    let (outcome, report) =
        reported(1.0, api.send(Method::POST, "http://127.0.0.1:1/", None)).await;
    assert!(outcome.is_err());
    assert_eq!(delays(&report), [0.25, 0.5]);

    let typo = SETTINGS.clone().with_vars("ORDERS_RETRY_", [("ORDERS_RETRY_ATTEMPTS", "three")]);
    assert!(typo.unwrap_err().to_string().contains("ORDERS_RETRY_ATTEMPTS"));
}

/// Calls that succeed in the end hide what they cost; above 0.1 retries a success somebody is woken.
#[test]
fn retries_per_success_tell_of_an_outage_before_a_call_fails() {
    #[retry(name = "counted", stop = attempts(5), wait = none())]
    fn call(failures: u32, calls: &mut u32) -> Result<(), Error> {
        *calls += 1;
        if *calls <= failures { Err(Error::Down) } else { Ok(()) }
    }
    let site = || retry::sites().get("counted").unwrap().clone();
    for number in 0..100 {
        call(u32::from(number % 20 == 0), &mut 0).unwrap();
    }
    assert_eq!((site().first_try(), site().recovered(), site().retries()), (95, 5, 5));
    assert!((site().retries_per_success() - 0.05).abs() < 1e-9);
    // Nobody has seen an error yet.
    for _ in 0..20 {
        call(1, &mut 0).unwrap();
    }
    assert_eq!(site().given_up(), 0);
    assert!(site().retries_per_success() > 0.1);
}
