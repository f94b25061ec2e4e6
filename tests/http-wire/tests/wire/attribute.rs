//! Annotated functions.

use retry::http::statuses;
use retry::reqwest::{RequestError, ResponseExt};
use retry::{record, retry, retry_with};
use std::time::Duration;

use crate::server::{Server, Step, answer};

#[retry(stop = attempts(4), wait = none(), idempotent)]
async fn fetch(client: &reqwest::Client, url: &str) -> Result<String, RequestError> {
    let response = client.get(url).send().await?.check_status(&statuses::transient())?;
    Ok(response.text().await?)
}

#[tokio::test]
async fn a_function_retries_errors_and_statuses_without_a_condition() {
    let server = Server::of([answer(503, ""), Step::Reset, answer(200, "")]).await;
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    assert_eq!(fetch(&client, &server.url).await.expect("answered"), "body of 200");
    let server = Server::of([answer(404, "")]).await;
    let error = fetch(&client, &server.url).await.expect_err("not found");
    assert_eq!((error.status().map(|it| it.as_u16()), server.seen().len()), (Some(404), 1));
}

#[tokio::test]
async fn the_hint_of_a_status_is_the_wait() {
    let server = Server::of([answer(429, "Retry-After: 7\r\n"), answer(200, "")]).await;
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let call = retry_with().virtual_time().scope(fetch(&client, &server.url));
    let (outcome, reports) = record(call).await;
    assert!(outcome.is_ok());
    let delays: Vec<_> = reports[0].delays().collect();
    assert_eq!(delays, [Duration::from_secs(7)]);
}
