//! What can happen to a request, in three ways to send it.
#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

#[path = "../support/pass.rs"]
mod pass;
mod server;
mod ways;

use std::time::Duration;

use retry::StopReason::{self, Ambiguous, Attempts, HintTooLong, Permanent, Success};

use server::{Part, Server, Step, after, answer, with_body, with_dates, with_header};
use ways::End::{self, Cut, Error, Status};
use ways::Sent::{self, Get, Post, PostWithKey};
use ways::{Way, send};

/// How many requests arrive, how the caller sees it end, and why it ended.
type Expected = (usize, End, StopReason);

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// The same in each way, but where said otherwise.
struct Situation {
    name: &'static str,
    sent: Sent,
    /// `None`: nobody listens.
    script: Option<Vec<Step>>,
    expected: [Expected; 3],
    /// Each of the waits, in seconds.
    wait: u64,
}

fn that(
    name: &'static str,
    sent: Sent,
    script: impl Into<Vec<Step>>,
    expected: Expected,
) -> Situation {
    Situation { name, sent, script: Some(script.into()), expected: [expected; 3], wait: 1 }
}

impl Situation {
    fn refused(mut self) -> Self {
        self.script = None;
        self
    }

    const fn waits(mut self, seconds: u64) -> Self {
        self.wait = seconds;
        self
    }

    const fn in_the_layer(mut self, expected: Expected) -> Self {
        self.expected[Way::Layer as usize] = expected;
        self
    }

    const fn in_the_attribute(mut self, expected: Expected) -> Self {
        self.expected[Way::Attribute as usize] = expected;
        self
    }

    async fn plays(self) {
        for way in [Way::Sending, Way::Layer, Way::Attribute] {
            let server = match &self.script {
                Some(script) => Server::of(script.clone()).await,
                None => Server::refusing(),
            };
            let (end, report) = send(way, self.sent, &server.url).await;
            let seen = server.seen();
            let situation = format!("{}, {:?}, {way:?}: {report:?}", self.name, self.sent);
            let found = (seen.len(), end, report.reason());
            assert_eq!(found, self.expected[way as usize], "{situation}");
            assert!(report.delays().all(|delay| delay == secs(self.wait)), "{situation}");
            for request in &seen {
                assert_eq!(
                    (&request.method, &request.body[..]),
                    (&self.sent.method(), &b"body"[..])
                );
                assert_eq!(request.key.is_some(), self.sent == PostWithKey, "{situation}");
                assert_eq!(request.key, seen[0].key, "{situation}");
            }
        }
    }
}

/// An answer that is good, after the one that was not.
fn good() -> Step {
    answer(200)
}

/// In the end it went well, with this many requests.
const fn well(requests: usize) -> Expected {
    (requests, Status(200), Success)
}

#[tokio::test]
async fn nobody_listens() {
    for sent in [Get, Post, PostWithKey] {
        that("refused", sent, [], (0, Error, Attempts)).refused().plays().await;
    }
}

#[tokio::test]
async fn the_connection_breaks() {
    for sent in [Get, PostWithKey] {
        that("reset before", sent, [Step::ResetBefore, good()], well(1)).plays().await;
        that("reset after", sent, [Step::ResetAfter, good()], well(2)).plays().await;
    }
    let not_sure = |requests| (requests, Error, Ambiguous);
    that("reset before", Post, [Step::ResetBefore, good()], not_sure(0)).plays().await;
    that("reset after", Post, [Step::ResetAfter, good()], not_sure(1)).plays().await;
    let resets = [Step::ResetAfter, Step::ResetBefore, Step::ResetAfter, good()];
    that("reset to the end", Get, resets, (2, Error, Attempts)).plays().await;
}

#[tokio::test]
async fn the_answer_is_slow() {
    for sent in [Get, PostWithKey] {
        that("hang", sent, [Step::Hang(secs(10)), good()], well(2)).plays().await;
        that("headers too late", sent, [after(secs(10), 200), good()], well(2)).plays().await;
    }
    let not_sure = (1, Error, Ambiguous);
    that("hang", Post, [Step::Hang(secs(10)), good()], not_sure).plays().await;
    that("headers too late", Post, [after(secs(10), 200), good()], not_sure).plays().await;
    for sent in [Get, Post] {
        that("headers in time", sent, [after(secs(9), 200), good()], well(1)).plays().await;
    }
}

/// Of what `send_retrying` and the layer return, the body is read by the caller.
#[tokio::test]
async fn the_body_is_slow_or_cut() {
    let cut = |status| with_body(status, [Part::Text("a"), Part::Pause(secs(0)), Part::Cut]);
    let slow = |more| {
        let pauses = [Part::Pause(secs(9)), Part::Pause(secs(1)), Part::Pause(secs(20))];
        let body = [&[Part::Text("a")], &pauses[..more], &[Part::Text("ll")]];
        with_body(200, body.concat())
    };
    for sent in [Get, PostWithKey] {
        that("body in time", sent, [slow(1), good()], well(1)).plays().await;
        // After 10 s it is the attempt's time that is up, after 30 s that of reqwest's client.
        that("body too late", sent, [slow(3), good()], (1, Cut(200), Success))
            .in_the_layer(well(1))
            .in_the_attribute(well(2))
            .plays()
            .await;
        that("body cut", sent, [cut(200), good()], (1, Cut(200), Success))
            .in_the_attribute(well(2))
            .plays()
            .await;
    }
    that("body cut", Post, [cut(200), good()], (1, Cut(200), Success))
        .in_the_attribute((1, Error, Ambiguous))
        .plays()
        .await;
    let slow = with_body(503, [Part::Text("a"), Part::Pause(secs(9)), Part::Text("ll")]);
    for unwanted in [cut(503), slow] {
        that("body of what is not wanted", Post, [unwanted, good()], well(2)).plays().await;
    }
}

#[tokio::test]
async fn the_server_has_not_done_it() {
    for status in [408, 425, 429, 503] {
        for sent in [Get, Post, PostWithKey] {
            that("a status", sent, [answer(status), good()], well(2)).plays().await;
            let on = [answer(status), answer(status), answer(status), good()];
            that("a status to the end", sent, on, (3, Status(status), Attempts)).plays().await;
        }
    }
}

#[tokio::test]
async fn the_server_says_how_long_to_wait() {
    for status in [429, 503] {
        for sent in [Get, Post] {
            let asks = |seconds: &str| with_header(status, "retry-after", seconds);
            that("seconds", sent, [asks("7"), good()], well(2)).waits(7).plays().await;
            that("a date", sent, [with_dates(status, 7), good()], well(2)).waits(7).plays().await;
            that("a past date", sent, [with_dates(status, 0), good()], well(2)).plays().await;
            that("junk", sent, [asks("soon"), good()], well(2)).plays().await;
            let at_once = (1, Status(status), HintTooLong);
            that("an hour", sent, [asks("3600"), good()], at_once).plays().await;
            that("an hour", sent, [with_dates(status, 3600), good()], at_once).plays().await;
        }
    }
}

#[tokio::test]
async fn a_gateway_does_not_know() {
    for status in [502, 504] {
        for sent in [Get, PostWithKey] {
            that("a status", sent, [answer(status), good()], well(2)).plays().await;
        }
        let not_sure = (1, Status(status), Ambiguous);
        that("a status", Post, [answer(status), good()], not_sure).plays().await;
    }
}

/// To what returns answers it is one.
#[tokio::test]
async fn the_answer_stays() {
    for status in [500, 404, 422, 400] {
        for sent in [Get, Post, PostWithKey] {
            that("a status", sent, [answer(status), good()], (1, Status(status), Success))
                .in_the_attribute((1, Status(status), Permanent))
                .plays()
                .await;
        }
    }
}

/// The layer's condition sees the answer, but not whether the request had a key.
#[tokio::test]
async fn the_first_request_is_still_running() {
    that("409 with a key", PostWithKey, [answer(409), good()], well(2))
        .in_the_layer((1, Status(409), Success))
        .plays()
        .await;
    that("409 without", Post, [answer(409), good()], (1, Status(409), Success))
        .in_the_attribute((1, Status(409), Permanent))
        .plays()
        .await;
}

/// It belongs to the attempt. The client of hyper-util follows none.
#[tokio::test]
async fn the_answer_is_elsewhere() {
    let to = |status| with_header(status, "location", "/orders");
    for status in [307, 308] {
        that("a redirect", Get, [to(status), good()], well(2))
            .in_the_layer((1, Status(status), Success))
            .plays()
            .await;
        that(
            "a redirect to a failure",
            Get,
            [to(status), answer(503), to(status), good()],
            well(4),
        )
        .in_the_layer((1, Status(status), Success))
        .plays()
        .await;
    }
    let round = vec![to(307); 40];
    that("a redirect without end", Get, round, (11, Error, Permanent))
        .in_the_layer((1, Status(307), Success))
        .plays()
        .await;
}
