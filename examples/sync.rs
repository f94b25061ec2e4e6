//! Connects to a port that opens late, on plain threads and without an async runtime:
//!
//! ```sh
//! cargo run --example sync
//! ```
//!
//! A crate like this depends on `retry` with `default-features = false`, and with the feature
//! `tracing` if it wants the events.

#[path = "support/narrator.rs"]
mod narrator;

use std::error::Error;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use retry::retry;

/// There is no `on` here: `io::Error` knows by itself that a refused connection is worth another
/// attempt and that a missing permission is not. A sync function waits by `thread::sleep`.
#[retry(stop = attempts(20) | within(10s), wait = exponential(50ms).cap(250ms))]
fn connect(addr: SocketAddr) -> io::Result<TcpStream> {
    TcpStream::connect(addr)
}

/// A service that needs a moment before it opens its port, and then greets one client.
fn start_late(addr: SocketAddr) -> io::Result<()> {
    thread::sleep(Duration::from_millis(400));
    let (mut client, _) = TcpListener::bind(addr)?.accept()?;
    client.write_all(b"hello, you are welcome now")
}

fn main() -> Result<(), Box<dyn Error>> {
    narrator::narrate();

    // The system names a port that is free, and dropping the listener closes it again.
    let addr = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let service = thread::spawn(move || start_late(addr));
    println!("connecting to {addr}");

    let mut greeting = String::new();
    connect(addr)?.read_to_string(&mut greeting)?;
    println!("greeting: {greeting}");

    service.join().map_err(|_| "the service panicked")??;
    Ok(())
}
