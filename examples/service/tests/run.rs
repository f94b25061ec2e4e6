//! Drives the service through its endpoints: good days and bad ones, an outage, an incident, its end.

#![allow(clippy::unwrap_used, clippy::panic)] // a test that cannot go on should say where

#[allow(dead_code)] // all but its `main`
#[path = "../service.rs"]
mod example;

use std::time::Duration;

use example::app::{self, Settings};
use example::upstream;
use reqwest::{Client, StatusCode};
use tokio::sync::watch;

/// As somebody outside sees the service.
struct Caller {
    client: Client,
    url: String,
}

impl Caller {
    async fn get(&self, path: &str) -> (StatusCode, String) {
        let answer = self.client.get(format!("{}{path}", self.url)).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    }

    async fn post(&self, path: &str) -> StatusCode {
        self.client.post(format!("{}{path}", self.url)).send().await.unwrap().status()
    }

    /// The value of a series in what Prometheus reads.
    async fn metric(&self, series: &str) -> u32 {
        let (_, text) = self.get("/metrics").await;
        let line = text.lines().find_map(|line| line.strip_prefix(series));
        line.and_then(|value| value.trim().parse().ok())
            .unwrap_or_else(|| panic!("{series}: {text}"))
    }

    /// What the debug page says of a function, word by word.
    async fn row(&self, name: &str) -> Vec<String> {
        let (_, table) = self.get("/debug/retries").await;
        let row = table.lines().find(|line| line.starts_with(name)).unwrap();
        row.split_whitespace().map(ToOwned::to_owned).collect()
    }
}

#[tokio::test]
async fn the_service_answers_recovers_spares_a_dependency_that_is_down_and_shuts_down() {
    let upstream = upstream::start().await.unwrap();
    let settings = Settings::read(include_str!("../service.toml")).unwrap();
    let (stop, stopping) = watch::channel(false);
    let (url, service) = app::start(settings, &upstream.url, stopping).await.unwrap();
    let caller = Caller { client: Client::new(), url };

    // Good days.
    assert_eq!(caller.get("/stock/tea").await, (StatusCode::OK, "7".to_owned()));
    // The prices come with their second attempt.
    while caller.get("/ready").await.0 != StatusCode::OK {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(upstream.asked.times("prices"), 2);
    assert!(caller.row("prices").await.contains(&"endless".to_owned()));

    // It fails twice, and the caller does not see it.
    assert_eq!(caller.get("/stock/flaky").await, (StatusCode::OK, "2".to_owned()));
    assert_eq!(upstream.asked.times("flaky"), 3);

    // An answer that is no is asked for once, and nobody has given up.
    assert_eq!(caller.get("/stock/unicorn").await.0, StatusCode::NOT_FOUND);
    assert_eq!(upstream.asked.times("unicorn"), 1);
    let calls = |outcome: &str, reason: &str| {
        format!(r#"retry_calls_total{{name="stock",outcome="{outcome}",reason="{reason}"}}"#)
    };
    assert_eq!(caller.metric(&calls("recovered", "success")).await, 1);
    assert_eq!(caller.metric(&calls("permanent", "permanent")).await, 1);
    assert_eq!(caller.metric(&calls("given_up", "attempts")).await, 0);

    // Nobody waits for an hour.
    assert_eq!(caller.get("/stock/busy").await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(upstream.asked.times("busy"), 1);
    assert_eq!(caller.metric(&calls("given_up", "hint_too_long")).await, 1);

    // An incident: every call is made once, until that is over.
    assert_eq!(caller.post("/debug/retries/off").await, StatusCode::OK);
    assert_eq!(caller.get("/stock/flaky").await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(upstream.asked.times("flaky"), 4);
    assert_eq!(caller.post("/debug/retries/on").await, StatusCode::OK);
    assert_eq!(caller.get("/stock/flaky").await, (StatusCode::OK, "2".to_owned()));

    // An outage: after a few failures it is spared, and callers get their answer at once.
    for _ in 0..4 {
        assert_eq!(caller.get("/stock/down").await.0, StatusCode::SERVICE_UNAVAILABLE);
    }
    assert_eq!(upstream.asked.times("down"), 6);
    assert_eq!(caller.get("/stock/tea").await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(upstream.asked.times("tea"), 1);
    let opened = r#"retry_breaker_changes_total{name="stock",to="open"}"#;
    assert_eq!(caller.metric(opened).await, 1);
    assert!(caller.row("stock").await.iter().any(|cell| cell.starts_with('(')), "why it gave up");

    // Its end.
    stop.send_replace(true);
    service.await.unwrap().unwrap();
}

#[test]
fn what_is_wrong_with_the_settings_is_said_before_the_service_starts() {
    let wrong = include_str!("../service.toml").replace("\"20ms\"", "20");
    let error = Settings::read(&wrong).err().unwrap().to_string();
    assert!(error.contains("`exponential = 20` has no unit"), "{error}");
}
