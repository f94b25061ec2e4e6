//! A server of hyper on loopback, with a script: what becomes of each connection, one after the other.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::pending;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::{Duration, SystemTime};

use http::{HeaderMap, Method, Request, Response};
use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use retry::http::IDEMPOTENCY_KEY;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Notify;

use crate::pass::pass;

/// What becomes of a connection. Each serves one request.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// It is reset before anything was read from it.
    ResetBefore,
    /// It is reset once the request was read.
    ResetAfter,
    /// The request is read, and this time passes without an answer.
    Hang(Duration),
    Answer(Answer),
}

/// An answer, after some time.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) after: Duration,
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<Part>,
}

/// What comes next of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Text(&'static str),
    /// What came before has arrived, and this time passes.
    Pause(Duration),
    /// There was to be more, and the connection is closed.
    Cut,
}

pub(crate) fn answer(status: u16) -> Step {
    with_body(status, [Part::Text("all")])
}

pub(crate) fn with_body(status: u16, body: impl Into<Vec<Part>>) -> Step {
    Step::Answer(Answer { after: Duration::ZERO, status, headers: Vec::new(), body: body.into() })
}

pub(crate) fn after(after: Duration, status: u16) -> Step {
    Step::Answer(Answer { after, status, headers: Vec::new(), body: vec![Part::Text("all")] })
}

pub(crate) fn with_header(status: u16, name: &'static str, value: impl Into<String>) -> Step {
    let (headers, body) = (vec![(name, value.into())], vec![Part::Text("all")]);
    Step::Answer(Answer { after: Duration::ZERO, status, headers, body })
}

/// With a date as `Retry-After`, that many seconds after the `Date`.
pub(crate) fn with_dates(status: u16, seconds: u64) -> Step {
    let date = |time| httpdate::fmt_http_date(time);
    let now = SystemTime::now();
    let later = date(now + Duration::from_secs(seconds));
    let headers = vec![("retry-after", later), ("date", date(now))];
    Step::Answer(Answer { after: Duration::ZERO, status, headers, body: vec![Part::Text("all")] })
}

/// A request, as it has arrived.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) method: Method,
    pub(crate) key: Option<String>,
    pub(crate) body: Bytes,
}

pub(crate) struct Server {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    /// Keeps the port of a server that refuses.
    _bound: Option<TcpSocket>,
}

impl Server {
    pub(crate) async fn of(script: impl IntoIterator<Item = Step>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/orders", listener.local_addr().unwrap());
        let seen = Arc::default();
        tokio::spawn(accept(listener, script.into_iter().collect(), Arc::clone(&seen)));
        Self { url, seen, _bound: None }
    }

    /// One that nobody can connect to.
    pub(crate) fn refusing() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
        let url = format!("http://{}/orders", socket.local_addr().unwrap());
        Self { url, seen: Arc::default(), _bound: Some(socket) }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

async fn accept(listener: TcpListener, mut script: VecDeque<Step>, seen: Arc<Mutex<Vec<Seen>>>) {
    while let Some(step) = script.pop_front() {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::spawn(serve(stream, step, Arc::clone(&seen)));
    }
    // Nobody else is let in: a request too many is seen to fail.
}

async fn serve(stream: TcpStream, step: Step, seen: Arc<Mutex<Vec<Seen>>>) {
    if matches!(step, Step::ResetBefore | Step::ResetAfter) {
        #[allow(deprecated)] // a linger of zero does not block
        stream.set_linger(Some(Duration::ZERO)).unwrap();
    }
    if matches!(step, Step::ResetBefore) {
        return;
    }
    let reset = Notify::new();
    let service = service_fn(|request: Request<Incoming>| {
        let (seen, reset, step) = (&seen, &reset, step.clone());
        async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let key = key(&head.headers);
            seen.lock().unwrap().push(Seen { method: head.method, key, body });
            match step {
                Step::ResetBefore | Step::ResetAfter => reset.notify_one(),
                Step::Hang(time) => pass(time).await,
                Step::Answer(answer) => {
                    if !answer.after.is_zero() {
                        pass(answer.after).await;
                    }
                    return Ok::<_, Infallible>(response(answer));
                }
            }
            pending().await
        }
    });
    let connection =
        http1::Builder::new().keep_alive(false).serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        // It is an error where the client has left, or a body is cut.
        _ = connection => {}
        () = reset.notified() => {}
    }
}

fn key(headers: &HeaderMap) -> Option<String> {
    headers.get(IDEMPOTENCY_KEY).map(|key| key.to_str().unwrap().to_owned())
}

fn response(answer: Answer) -> Response<Scripted> {
    let mut response = Response::builder().status(answer.status);
    for (name, value) in answer.headers {
        response = response.header(name, value);
    }
    response.body(Scripted { parts: answer.body.into(), passing: None }).unwrap()
}

/// A body by its parts.
struct Scripted {
    parts: VecDeque<Part>,
    passing: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Body for Scripted {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        loop {
            if let Some(passing) = &mut self.passing {
                ready!(passing.as_mut().poll(cx));
                self.passing = None;
            }
            match self.parts.pop_front() {
                None => return Poll::Ready(None),
                Some(Part::Text(text)) => {
                    return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(text.as_bytes())))));
                }
                Some(Part::Pause(time)) => self.passing = Some(Box::pin(pass(time))),
                Some(Part::Cut) => return Poll::Ready(Some(Err(io::Error::other("cut")))),
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        let length = |part: &Part| match part {
            Part::Text(text) => text.len() as u64,
            Part::Pause(_) => 0,
            Part::Cut => 100,
        };
        SizeHint::with_exact(self.parts.iter().map(length).sum())
    }
}
