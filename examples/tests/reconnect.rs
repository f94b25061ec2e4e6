//! Lets the clients of the example `reconnect` keep up links of all kinds, on real TCP and with
//! tokio's clock paused.
//!
//! No test here starts a process: for a moment that would hold the server's sockets, too.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

#[path = "../reconnect/client.rs"]
mod client;
#[path = "../reconnect/server.rs"]
mod server;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::time::Duration;

use client::{Event, Outbox, keep_up, keep_up_in_short};
use retry::StopReason;
use server::{Log, Mood, Port, serve};
use tokio::sync::mpsc::{Receiver, channel, unbounded_channel};
use tokio::task::yield_now;
use tokio::time::{pause, resume, timeout};

/// What came of it.
struct Course<T> {
    /// The client's, in words.
    events: Vec<String>,
    /// The server's, once its moods are over.
    log: Log,
    /// How the client has ended, and how many lines it has left.
    ended: (T, usize),
}

/// The waits for another attempt, in order.
fn waits(events: &[String]) -> Vec<&str> {
    let waits = events.iter().filter_map(|event| event.split_once("; trying again in "));
    waits.map(|(_, wait)| wait).collect()
}

/// What follows this word, for the events that start with it.
fn after<'a>(events: &'a [String], word: &str) -> Vec<&'a str> {
    events.iter().filter_map(|event| event.strip_prefix(word)?.strip_prefix(' ')).collect()
}

fn lines(numbers: RangeInclusive<u32>) -> Vec<String> {
    numbers.map(|number| format!("line {number}")).collect()
}

/// Lets a client deal with a server of these moods. `early` lines wait in the channel from the
/// start; of `late` ones after them one comes whenever the link is down.
async fn run<T>(
    moods: &[Mood],
    (early, late): (u32, u32),
    client: impl AsyncFnOnce(SocketAddr, &mut Receiver<String>, &mut Outbox, &dyn Fn(Event)) -> T,
) -> Course<T> {
    let port = Port::any().unwrap();
    let addr = port.addr().unwrap();
    let (refuse, refused) = unbounded_channel();
    let (send, mut inbox) = channel(64);
    for line in lines(1..=early) {
        send.try_send(line).unwrap();
    }
    let late = RefCell::new(VecDeque::from(lines(early + 1..=early + late)));
    // Gone as soon as there is nothing left to send.
    let send = RefCell::new(Some(send).filter(|_| !late.borrow().is_empty()));
    let events = RefCell::new(Vec::new());
    let tell = |event: Event| {
        if event.is_refusal() {
            refuse.send(()).unwrap();
        }
        let mut late = late.borrow_mut();
        if matches!(event, Event::Down { wait: Some(_), .. }) {
            if let Some(line) = late.pop_front() {
                send.borrow().as_ref().unwrap().try_send(line).unwrap();
            }
            if late.is_empty() {
                send.take();
            }
        }
        events.borrow_mut().push(event.to_string());
    };
    let moods = moods.to_vec();
    let server = tokio::spawn(async move { serve(port, &moods, refused).await });
    // So that it has its first mood before the first client comes.
    yield_now().await;
    let mut outbox = Outbox::default();
    pause();
    let ended = client(addr, &mut inbox, &mut outbox, &tell).await;
    let ended = (ended, outbox.len());
    // A server that still waits for a client has seen too few.
    resume();
    let log = timeout(Duration::from_secs(10), server).await.unwrap().unwrap().unwrap();
    Course { events: events.into_inner(), log, ended }
}

/// With a policy's schedule.
async fn scheduled(moods: &[Mood], lines: (u32, u32)) -> Course<StopReason> {
    run(moods, lines, async |addr, inbox, outbox, tell| {
        keep_up(addr, inbox, outbox, &|event| tell(event)).await
    })
    .await
}

/// With the attribute.
async fn annotated(moods: &[Mood], lines: (u32, u32)) -> Course<()> {
    run(moods, lines, async |addr, inbox, outbox, tell| {
        keep_up_in_short(addr, inbox, outbox, &|event| tell(event)).await.unwrap();
    })
    .await
}

/// A bit of everything, and eight lines before the last link.
const ROUGH: [Mood; 7] = [
    Mood::Refuse(3),
    Mood::Serve(2),
    Mood::HangUp(3),
    Mood::Serve(3),
    Mood::Serve(0),
    Mood::Refuse(2),
    Mood::Stay,
];

#[tokio::test]
async fn no_line_is_lost_doubled_or_out_of_order_whatever_the_link_does() {
    let course = scheduled(&ROUGH, (4, 8)).await;
    assert_eq!(course.ended, (StopReason::Success, 0));
    assert_eq!(course.log.lines, lines(1..=12));
    assert_eq!(after(&course.events, "delivered"), course.log.lines);

    let course = annotated(&ROUGH, (12, 0)).await;
    assert_eq!(course.ended, ((), 0));
    assert_eq!(course.log.lines, lines(1..=12));
    assert_eq!(after(&course.events, "delivered"), course.log.lines);
}

#[tokio::test]
async fn waits_grow_until_a_link_has_been_of_use_and_start_anew_then() {
    let moods = [Mood::Refuse(5), Mood::Serve(1), Mood::HangUp(2), Mood::Refuse(1), Mood::Stay];
    let refused = ["10ms", "20ms", "40ms", "80ms", "100ms"];
    let dropped = ["10ms", "20ms", "40ms", "80ms"];
    let expected = [&refused[..], &dropped[..]].concat();
    assert_eq!(waits(&scheduled(&moods, (3, 0)).await.events), expected);
    assert_eq!(waits(&annotated(&moods, (3, 0)).await.events), expected);
}

#[tokio::test]
async fn a_peer_that_accepts_and_hangs_up_is_not_called_in_a_tight_loop() {
    let course = scheduled(&[Mood::HangUp(6)], (1, 4)).await;
    assert_eq!(course.log.clients, 6);
    assert_eq!(course.events.iter().filter(|event| *event == "connected").count(), 6);
    assert_eq!(waits(&course.events), ["10ms", "20ms", "40ms", "80ms", "100ms"]);
    assert_eq!(course.events.last().unwrap(), "down: unexpected end of file; giving up");
    // Whoever called has the lines, and may do something about it.
    assert_eq!(course.ended, (StopReason::Attempts, 5));

    let course = annotated(&[Mood::HangUp(7), Mood::Stay], (1, 0)).await;
    assert_eq!(course.log.clients, 8);
    let waits = waits(&course.events);
    assert_eq!(waits, ["10ms", "20ms", "40ms", "80ms", "100ms", "100ms", "100ms"]);
}

#[tokio::test]
async fn lines_are_taken_while_the_link_is_down() {
    let course = scheduled(&[Mood::Refuse(4), Mood::Stay], (0, 4)).await;
    let expected = [
        "down: connection refused; trying again in 10ms",
        "kept line 1",
        "down: connection refused; trying again in 20ms",
        "kept line 2",
        "down: connection refused; trying again in 40ms",
        "kept line 3",
        "down: connection refused; trying again in 80ms",
        "kept line 4",
        "connected",
        "delivered line 1",
        "delivered line 2",
        "delivered line 3",
        "delivered line 4",
    ];
    assert_eq!(course.events, expected);
}
