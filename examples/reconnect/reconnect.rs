//! A TCP link that drops, and a client that keeps it up:
//!
//! ```sh
//! cargo run --example reconnect
//! ```
//!
//! The server refuses, hangs up, drops the link in the middle of a line, and is away for too long.
//! The client backs off for longer and longer, takes new lines while it waits, starts anew only
//! after a link has been of use, and gives up when there is no hope. Then another client, the same
//! in short, delivers what is left. Both are in `client.rs`, which is what to read.

mod client;
mod server;

use std::cell::Cell;
use std::error::Error;

use client::{Event, Outbox, keep_up, keep_up_in_short};
use server::{Mood, Port, serve};
use tokio::sync::mpsc::{channel, unbounded_channel};

const LINES: usize = 8;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let moods = [
        Mood::Refuse(3),
        Mood::Serve(2),
        Mood::HangUp(3),
        Mood::Serve(3),
        Mood::Refuse(6),
        Mood::Stay,
    ];
    let port = Port::any()?;
    let addr = port.addr()?;
    let (refuse, refused) = unbounded_channel();
    let server = tokio::spawn(async move { serve(port, &moods, refused).await });

    let (send, mut inbox) = channel(LINES);
    let mut outbox = Outbox::default();
    let next = Cell::new(1);
    let tell = |event: Event| {
        println!("{event}");
        if event.is_refusal() {
            let _ = refuse.send(());
        }
        // While the client waits somebody wants to send a line.
        if matches!(event, Event::Down { wait: Some(_), .. }) && next.get() <= LINES {
            let _ = send.try_send(format!("line {}", next.replace(next.get() + 1)));
        }
    };
    let ended = keep_up(addr, &mut inbox, &mut outbox, &tell).await;
    println!("ended: {ended}, {} lines not delivered", outbox.len());

    // No more will come, so this ends when all are delivered.
    inbox.close();
    keep_up_in_short(addr, &mut inbox, &mut outbox, &tell).await?;
    println!("ended: success, {} lines not delivered", outbox.len());
    let log = server.await??;
    println!("the server has {} of {LINES} lines: {}", log.lines.len(), log.lines.join(", "));
    Ok(())
}
