//! The guide's download, which goes on at the byte that it has reached, from a server that breaks off.

use http::{HeaderMap, Request, Response};
use reqwest::{Client, StatusCode, header};
use retry::http::statuses;
use retry::reqwest::{RequestError, ResponseExt};
use retry::{Report, StopReason, record, retry_with};

use super::secs;
use super::server::{Reply, Server};

async fn download(client: &Client, url: &str) -> Result<Vec<u8>, RequestError> {
    let (mut file, mut version) = (Vec::new(), None);
    retry::block!(
        stop = attempts(5),
        wait = exponential(200ms).full_jitter(),
        idempotent,
        async || -> Result<(), RequestError> {
            let mut request =
                client.get(url).header(header::RANGE, format!("bytes={}-", file.len()));
            if let Some(version) = &version {
                request = request.header(header::IF_RANGE, version);
            }
            let mut response = request.send().await?.check_status(&statuses::transient())?;
            if response.status() != StatusCode::PARTIAL_CONTENT {
                file.clear();
            }
            let tag = response.headers().get(header::ETAG);
            version = tag.filter(|tag| !tag.as_bytes().starts_with(b"W/")).cloned();
            while let Some(chunk) = response.chunk().await? {
                file.extend_from_slice(&chunk);
                if let Some(attempt) = retry::current() {
                    attempt.progress();
                }
            }
            Ok(())
        },
    )?;
    Ok(file)
}

async fn downloaded(server: &Server) -> (Result<String, RequestError>, Report) {
    let client = Client::builder().no_proxy().timeout(secs(30)).build().unwrap();
    let overrides = retry_with().virtual_time();
    let (outcome, mut reports) = record(overrides.scope(download(&client, &server.url))).await;
    let text = outcome.map(|bytes| String::from_utf8(bytes).unwrap());
    (text, reports.pop().unwrap())
}

fn ranges(server: &Server) -> Vec<String> {
    let range = |it: &HeaderMap| it["range"].to_str().unwrap().to_owned();
    server.seen().iter().map(|it| range(it.headers())).collect()
}

/// As a server that knows ranges answers, but no more than `most` bytes before the connection breaks.
fn part(request: &Request<String>, file: &str, tag: &str, most: usize) -> Reply {
    let headers = request.headers();
    let from =
        headers["range"].to_str().unwrap().trim_start_matches("bytes=").trim_end_matches('-');
    let from: usize = from.parse().unwrap();
    let same = headers.get("if-range").is_none_or(|it| it == tag);
    let (status, body) = if same { (206, &file[from..]) } else { (200, file) };
    let response =
        Response::builder().status(status).header("etag", tag).header("content-length", body.len());
    match body.get(..most) {
        Some(sent) => Reply::Cut(response.body(sent.to_owned()).unwrap()),
        None => Reply::Answer(response.body(body.to_owned()).unwrap()),
    }
}

#[tokio::test]
async fn it_goes_on_at_the_byte_it_has_reached() {
    let server = Server::of(|_, request| part(request, "abcdefghij", "\"1\"", 4)).await;
    let (outcome, report) = downloaded(&server).await;
    assert_eq!(outcome.unwrap(), "abcdefghij");
    assert_eq!(ranges(&server), ["bytes=0-", "bytes=4-", "bytes=8-"]);
    assert_eq!(report.attempts(), 3);
}

#[tokio::test]
async fn one_that_moves_may_break_more_often_than_it_has_attempts() {
    let server = Server::of(|_, request| part(request, "abcdefghij", "\"1\"", 1)).await;
    let (outcome, report) = downloaded(&server).await;
    assert_eq!((outcome.unwrap().as_str(), report.attempts()), ("abcdefghij", 10));

    let server = Server::of(|_, request| part(request, "abcdefghij", "\"1\"", 0)).await;
    let (outcome, report) = downloaded(&server).await;
    assert!(outcome.is_err());
    assert_eq!((report.attempts(), report.reason()), (5, StopReason::Attempts));
}

#[tokio::test]
async fn it_starts_over_when_the_file_has_changed() {
    let server = Server::of(|n, request| match n {
        1 | 2 => part(request, "abcdefghij", "\"1\"", 4),
        _ => part(request, "ABCDEFGHIJ", "\"2\"", 6),
    })
    .await;
    let (outcome, _) = downloaded(&server).await;
    assert_eq!(outcome.unwrap(), "ABCDEFGHIJ");
    assert_eq!(ranges(&server), ["bytes=0-", "bytes=4-", "bytes=8-", "bytes=6-"]);
}

#[tokio::test]
async fn it_starts_over_with_a_server_that_knows_no_ranges() {
    let server = Server::of(|n, _| {
        let response = Response::builder().status(200).header("content-length", 10);
        match n {
            1 | 2 => Reply::Cut(response.body("abcdefg".to_owned()).unwrap()),
            _ => Reply::Answer(response.body("abcdefghij".to_owned()).unwrap()),
        }
    })
    .await;
    let (outcome, report) = downloaded(&server).await;
    assert_eq!((outcome.unwrap().as_str(), report.attempts()), ("abcdefghij", 3));
}

#[tokio::test]
async fn a_status_on_the_way_does_not_touch_what_has_arrived() {
    let server = Server::of(|n, request| match n {
        2 => super::server::answer(503, &[]),
        _ => part(request, "abcdefghij", "\"1\"", 6),
    })
    .await;
    let (outcome, _) = downloaded(&server).await;
    assert_eq!(outcome.unwrap(), "abcdefghij");
    assert_eq!(ranges(&server), ["bytes=0-", "bytes=6-", "bytes=6-"]);
}
