//! A client that keeps its link up, and is of use while it is down.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use retry::{StopReason, policy, retry};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::mpsc::Receiver;
use tokio::time::sleep;

/// What happens to the client, in order.
#[derive(Debug)]
pub(crate) enum Event {
    Connected,
    /// A line was acknowledged.
    Delivered(String),
    /// The link is down. It will be tried again after this wait, if at all.
    Down {
        why: io::ErrorKind,
        wait: Option<Duration>,
    },
    /// A line was taken while the link was down.
    Kept(String),
}

impl Event {
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, Self::Down { why: io::ErrorKind::ConnectionRefused, .. })
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connected => f.write_str("connected"),
            Self::Delivered(line) => write!(f, "delivered {line}"),
            Self::Down { why, wait: Some(wait) } => {
                write!(f, "down: {why}; trying again in {wait:?}")
            }
            Self::Down { why, wait: None } => write!(f, "down: {why}; giving up"),
            Self::Kept(line) => write!(f, "kept {line}"),
        }
    }
}

/// The lines under way: taken from whoever sends them, and not yet acknowledged.
#[derive(Default)]
pub(crate) struct Outbox {
    lines: VecDeque<String>,
    /// How many were acknowledged before them.
    delivered: usize,
}

impl Outbox {
    /// How many lines have not arrived, as far as it is known.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The oldest line is with the other side.
    fn pop(&mut self) -> Option<String> {
        let line = self.lines.pop_front()?;
        self.delivered += 1;
        Some(line)
    }
}

/// Delivers every line of `inbox`, in order, over as many links as it takes. Ends when all are
/// delivered and no more can come, or when six attempts in a row have come to nothing; what is not
/// delivered then is still in `outbox`.
pub(crate) async fn keep_up(
    addr: SocketAddr,
    inbox: &mut Receiver<String>,
    outbox: &mut Outbox,
    tell: &impl Fn(Event),
) -> StopReason {
    // One client has nobody to keep out of step with; a fleet of them adds `.full_jitter()`.
    let policy = policy! {
        stop = attempts(6),
        wait = exponential(10ms).cap(100ms),
        on = any_error(),
    };
    let mut schedule = policy.schedule();
    loop {
        // Not when it is connected: a peer that accepts and hangs up would be called in a tight
        // loop. A line that has arrived is what the link is for.
        let ended = talk(addr, inbox, outbox, tell, || schedule.reset()).await;
        let wait = schedule.failed(&ended).delay();
        if let Err(why) = ended {
            tell(Event::Down { why: why.kind(), wait: wait.ok() });
        }
        let mut waited = match wait {
            Ok(wait) => pin!(sleep(wait)),
            Err(reason) => return reason,
        };
        loop {
            tokio::select! {
                () = &mut waited => break,
                Some(line) = inbox.recv() => {
                    tell(Event::Kept(line.clone()));
                    outbox.lines.push_back(line);
                }
            }
        }
    }
}

/// The same in short, for a client that has nothing to do while it waits: senders wait with it,
/// once the channel is full. It goes on for ever, and is ended by dropping it.
///
/// For a peer that says nothing for long, `reset = 30s` asks how long the attempt has lasted,
/// instead of `progress`.
#[retry(
    forever,
    wait = exponential(10ms).cap(100ms),
    on = any_error(),
    before_sleep = |attempt, ended| {
        if let Err(why) = ended {
            tell(Event::Down { why: why.kind(), wait: attempt.next_delay() });
        }
    },
)]
pub(crate) async fn keep_up_in_short(
    addr: SocketAddr,
    inbox: &mut Receiver<String>,
    outbox: &mut Outbox,
    tell: &impl Fn(Event),
) -> io::Result<()> {
    let progress = || {
        if let Some(current) = retry::current() {
            current.progress();
        }
    };
    talk(addr, inbox, outbox, tell, progress).await
}

/// One link, from connecting until it breaks; `Ok` if there is nothing left to deliver. A link to
/// a peer that may fall silent would need a timeout on each answer, too.
async fn talk(
    addr: SocketAddr,
    inbox: &mut Receiver<String>,
    outbox: &mut Outbox,
    tell: &impl Fn(Event),
    mut healthy: impl FnMut(),
) -> io::Result<()> {
    let (read, mut write) = TcpStream::connect(addr).await?.into_split();
    let mut answers = BufReader::new(read).lines();
    tell(Event::Connected);

    let greeting = answers.next_line().await?.ok_or(io::ErrorKind::UnexpectedEof)?;
    let has: usize = greeting.parse().map_err(|_| io::ErrorKind::InvalidData)?;
    // Lines that have arrived, though the link broke before they were acknowledged.
    while outbox.delivered < has {
        let line = outbox.pop().ok_or(io::ErrorKind::InvalidData)?;
        tell(Event::Delivered(line));
        healthy();
    }
    loop {
        let Some(line) = outbox.lines.front() else {
            tokio::select! {
                line = inbox.recv() => match line {
                    Some(line) => outbox.lines.push_back(line),
                    None => return Ok(()),
                },
                // There is nothing to answer now, so that this is the end.
                answer = answers.next_line() => {
                    answer?;
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            continue;
        };
        write.write_all(format!("{line}\n").as_bytes()).await?;
        answers.next_line().await?.ok_or(io::ErrorKind::UnexpectedEof)?;
        outbox.pop().map(Event::Delivered).into_iter().for_each(tell);
        healthy();
    }
}
