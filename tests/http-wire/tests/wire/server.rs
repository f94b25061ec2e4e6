//! A server on loopback that does what it is told, request by request.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::pass::pass;

/// What to do with the next request.
pub(crate) enum Step {
    /// Answer: the head's lines after `HTTP/1.1 `, and the body.
    Answer(String, String),
    /// Close the connection with a reset, once the request has been read.
    Reset,
    /// Never answer, and let this time pass.
    Hang(Duration),
    /// Let this time pass, and do the next step then.
    Late(Duration),
    /// These bytes, and the end.
    Bytes(Vec<u8>),
    /// The head, part of the body, and no more.
    HeadThen(&'static str, After),
}

pub(crate) enum After {
    Hang(Duration),
    Close,
}

/// How long the clients of these tests wait.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A client with that patience.
pub(crate) fn client() -> reqwest::Client {
    let builder = reqwest::Client::builder().no_proxy();
    builder.timeout(PATIENCE).build().expect("a client")
}

/// An answer with a status and lines of headers.
pub(crate) fn answer(status: u16, headers: &str) -> Step {
    let body = format!("body of {status}");
    Step::Answer(format!("{status} X\r\n{headers}"), body)
}

/// What a request was like.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) connection: usize,
    pub(crate) method: String,
    pub(crate) key: Option<String>,
    pub(crate) body: String,
}

pub(crate) struct Server {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// One that closes the first `refused` connections before it has read anything from them.
    pub(crate) async fn new(refused: usize, steps: impl IntoIterator<Item = Step>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/?key=secret", listener.local_addr().expect("an address"));
        let seen = Arc::default();
        let steps: VecDeque<_> = steps.into_iter().collect();
        tokio::spawn(serve(listener, refused, Arc::new(Mutex::new(steps)), Arc::clone(&seen)));
        Self { url, seen }
    }

    pub(crate) async fn of(steps: impl IntoIterator<Item = Step>) -> Self {
        Self::new(0, steps).await
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("not poisoned").clone()
    }
}

async fn serve(
    listener: TcpListener,
    refused: usize,
    steps: Arc<Mutex<VecDeque<Step>>>,
    seen: Arc<Mutex<Vec<Seen>>>,
) {
    let mut connection = 0;
    while let Ok((stream, _)) = listener.accept().await {
        connection += 1;
        if connection <= refused {
            reset(stream);
            continue;
        }
        let (steps, seen) = (Arc::clone(&steps), Arc::clone(&seen));
        tokio::spawn(converse(stream, connection, steps, seen));
    }
}

#[allow(deprecated)] // a linger of zero does not block
fn reset(stream: TcpStream) {
    stream.set_linger(Some(Duration::ZERO)).expect("set");
    drop(stream);
}

async fn converse(
    mut stream: TcpStream,
    connection: usize,
    steps: Arc<Mutex<VecDeque<Step>>>,
    seen: Arc<Mutex<Vec<Seen>>>,
) {
    while let Some(request) = read(&mut stream, connection).await {
        seen.lock().expect("not poisoned").push(request);
        let next = || steps.lock().expect("not poisoned").pop_front().expect("another step");
        let mut step = next();
        while let Step::Late(time) = step {
            pass(time).await;
            step = next();
        }
        match step {
            Step::Late(_) => return,
            Step::Answer(head, body) => {
                let length = body.len();
                let text = format!("HTTP/1.1 {head}Content-Length: {length}\r\n\r\n{body}");
                stream.write_all(text.as_bytes()).await.expect("written");
            }
            Step::Reset => return reset(stream),
            Step::Hang(time) => {
                pass(time).await;
                return std::future::pending().await;
            }
            Step::Bytes(bytes) => return stream.write_all(&bytes).await.unwrap_or_default(),
            Step::HeadThen(text, after) => {
                stream.write_all(text.as_bytes()).await.expect("written");
                match after {
                    After::Hang(time) => {
                        pass(time).await;
                        return std::future::pending().await;
                    }
                    After::Close => return,
                }
            }
        }
    }
}

async fn read(stream: &mut TcpStream, connection: usize) -> Option<Seen> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
            break String::from_utf8_lossy(&bytes[..end]).into_owned();
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let header = |name: &str| {
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(it, _)| it.eq_ignore_ascii_case(name)).map(|(_, it)| it.to_owned())
    };
    let start = head.len() + 4;
    if header("transfer-encoding").is_some() {
        while !bytes.ends_with(b"0\r\n\r\n") {
            if stream.read_buf(&mut bytes).await.ok()? == 0 {
                return None;
            }
        }
    }
    let length: usize = header("content-length").map_or(0, |it| it.parse().expect("a number"));
    while bytes.len() < start + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let body = String::from_utf8_lossy(&bytes[start..]).into_owned();
    let method = head.split(' ').next().unwrap_or_default().to_owned();
    Some(Seen { connection, method, key: header("idempotency-key"), body })
}

/// A date as HTTP writes it, that many seconds from now, and now, for `Retry-After` and `Date`.
pub(crate) fn dates(seconds: u64) -> String {
    let now = SystemTime::now();
    let (later, now) = (http_date(now + Duration::from_secs(seconds)), http_date(now));
    format!("Retry-After: {later}\r\nDate: {now}\r\n")
}

fn http_date(time: SystemTime) -> String {
    httpdate::fmt_http_date(time)
}
