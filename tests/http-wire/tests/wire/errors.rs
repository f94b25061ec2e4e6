//! What an error of reqwest means, by where it happened.

use retry::http::statuses;
use retry::reqwest::{RequestBuilderExt, RequestError};
use retry::{Interrupted, Transient, Verdict};

use crate::server::{After, PATIENCE, Server, Step, answer, client};

async fn failed(server: &Server) -> reqwest::Error {
    client().get(&server.url).send().await.expect_err("no answer")
}

async fn body_failed(server: &Server) -> reqwest::Error {
    client().get(&server.url).send().await.expect("a head").bytes().await.expect_err("no body")
}

const LONG: &str = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes.";

#[tokio::test]
async fn what_was_not_sent_may_be_repeated() {
    let refused = client().post("http://127.0.0.1:1/").send().await.expect_err("refused");
    assert_eq!(refused.verdict(), Verdict::Retry, "{refused:?}");
}

#[tokio::test]
async fn what_may_have_arrived_is_ambiguous() {
    let reset = failed(&Server::of([Step::Reset]).await).await;
    assert_eq!(reset.verdict(), Verdict::Ambiguous, "{reset:?}");
    let before = failed(&Server::new(9, []).await).await;
    assert_eq!(before.verdict(), Verdict::Ambiguous, "{before:?}");
    let hang = failed(&Server::of([Step::Hang(PATIENCE)]).await).await;
    assert_eq!(hang.verdict(), Verdict::Ambiguous, "{hang:?}");
    let half = Step::HeadThen("HTTP/1.1 200 OK\r\nContent-Le", After::Hang(PATIENCE));
    let slow = failed(&Server::of([half]).await).await;
    assert_eq!(slow.verdict(), Verdict::Ambiguous, "{slow:?}");
}

#[tokio::test]
async fn a_body_that_is_cut_or_slow_is_ambiguous() {
    let cut = body_failed(&Server::of([Step::HeadThen(LONG, After::Close)]).await).await;
    assert_eq!(cut.verdict(), Verdict::Ambiguous, "{cut:?}");
    let slow = body_failed(&Server::of([Step::HeadThen(LONG, After::Hang(PATIENCE))]).await).await;
    assert_eq!(slow.verdict(), Verdict::Ambiguous, "{slow:?}");
}

#[tokio::test]
async fn what_stays_is_final() {
    let wrong = client().get("no url").send().await.expect_err("not built");
    assert_eq!(wrong.verdict(), Verdict::Final, "{wrong:?}");
    let tls = client().get("https://127.0.0.1:1/").send().await.expect_err("no TLS is built in");
    assert_eq!(tls.verdict(), Verdict::Final, "{tls:?}");
    let round = (0..20).map(|_| answer(302, "Location: /\r\n"));
    let looping = failed(&Server::of(round).await).await;
    assert!(looping.is_redirect());
    assert_eq!(looping.verdict(), Verdict::Final, "{looping:?}");
}

#[test]
fn a_status_means_what_it_means_elsewhere() {
    for code in 400..600 {
        let answer = http::Response::builder().status(code).body("").expect("built");
        let error = reqwest::Response::from(answer).error_for_status().expect_err("an error");
        let status = error.status().expect("a status");
        assert_eq!(error.verdict(), statuses::transient().judge(status, None), "{code}");
    }
}

#[tokio::test]
async fn no_text_of_a_request_error_shows_the_url() {
    let reset = failed(&Server::of([Step::Reset]).await).await;
    assert!(reset.to_string().contains("secret"), "there is something to hide");
    let round = (0..20).map(|_| answer(302, "Location: /?key=secret\r\n"));
    let looping = failed(&Server::of(round).await).await;
    let hang = failed(&Server::of([Step::Hang(PATIENCE)]).await).await;
    let cut = body_failed(&Server::of([Step::HeadThen(LONG, After::Close)]).await).await;
    let status = client().get(&Server::of([answer(404, "")]).await.url).send().await;
    let status = status.and_then(reqwest::Response::error_for_status).expect_err("not found");
    let refused = client().get("http://127.0.0.1:1/?key=secret").send().await.expect_err("refused");
    let scheme = client().get("ftp://127.0.0.1/?key=secret").send().await.expect_err("no HTTP");
    let wrong = client().get("key=secret").send().await.expect_err("no URL");
    for error in [reset, looping, hang, cut, status, refused, scheme] {
        assert!(error.url().is_some_and(|url| url.query() == Some("key=secret")), "{error:?}");
        shows_no_secret(&RequestError::from(error));
    }
    shows_no_secret(&RequestError::from(wrong));
    let policy = retry::policy! { stop = attempts(2), wait = none() };
    let sending = client().get("http://127.0.0.1:1/?key=secret").send_retrying(&policy);
    assert!(!format!("{sending:?}").contains("secret"), "{sending:?}");
    let sending = sending.into_future();
    assert!(!format!("{sending:?}").contains("secret"), "{sending:?}");
}

fn shows_no_secret(error: &RequestError) {
    let mut source: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = source {
        assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
        source = error.source();
    }
}

#[test]
fn a_request_error_can_be_made_of_an_interruption() {
    fn is_from<E: From<Interrupted> + Transient + Send + Sync + 'static>() {}
    is_from::<RequestError>();
}
