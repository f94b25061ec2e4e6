//! A server on loopback that answers as a function says.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

pub(crate) enum Reply {
    Answer(Response<String>),
    /// The connection is closed after this much of the body.
    Cut(Response<String>),
    /// Never.
    Hang,
    /// The connection is closed, with the request read.
    Close,
}

/// An answer with a status and headers.
pub(crate) fn answer(status: u16, headers: &[(&str, &str)]) -> Reply {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    Reply::Answer(response.body(format!("body of {status}")).unwrap())
}

type Seen = Arc<Mutex<Vec<Request<String>>>>;
type Answers = Arc<Mutex<dyn FnMut(usize, &Request<String>) -> Reply + Send>>;

pub(crate) struct Server {
    pub(crate) url: String,
    seen: Seen,
}

impl Server {
    /// One that is told the number of each request, from 1, and the request.
    pub(crate) async fn of(
        answers: impl FnMut(usize, &Request<String>) -> Reply + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let (seen, answers): (Seen, Answers) = (Arc::default(), Arc::new(Mutex::new(answers)));
        tokio::spawn(serve(listener, Arc::clone(&seen), answers));
        Self { url, seen }
    }

    /// The requests it has had.
    pub(crate) fn seen(&self) -> Vec<Request<String>> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn requests(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

async fn serve(listener: TcpListener, seen: Seen, answers: Answers) {
    while let Ok((stream, _)) = listener.accept().await {
        let (seen, answers) = (Arc::clone(&seen), Arc::clone(&answers));
        let service = service_fn(move |request| {
            let (seen, answers) = (Arc::clone(&seen), Arc::clone(&answers));
            async move { reply(request, &seen, &answers).await }
        });
        // A client that hangs up is none of the server's business.
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

async fn reply(
    request: Request<Incoming>,
    seen: &Seen,
    answers: &Answers,
) -> io::Result<Response<Sent>> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
    let request = Request::from_parts(head, String::from_utf8_lossy(&body).into_owned());
    let number = {
        let mut seen = seen.lock().unwrap();
        seen.push(request.clone());
        seen.len()
    };
    let reply = (answers.lock().unwrap())(number, &request);
    match reply {
        Reply::Answer(response) => Ok(response.map(|body| Sent::of(body, false))),
        Reply::Cut(response) => Ok(response.map(|body| Sent::of(body, true))),
        Reply::Hang => std::future::pending().await,
        Reply::Close => Err(io::ErrorKind::ConnectionReset.into()),
    }
}

/// A body, or the beginning of one.
struct Sent {
    bytes: Option<Bytes>,
    cut: bool,
    flushed: bool,
}

impl Sent {
    fn of(body: String, cut: bool) -> Self {
        Self { bytes: Some(body.into()), cut, flushed: false }
    }
}

impl Body for Sent {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if let Some(bytes) = self.bytes.take().filter(|bytes| !bytes.is_empty()) {
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        if !self.cut {
            return Poll::Ready(None);
        }
        // What has been sent goes out before the connection breaks.
        if !std::mem::replace(&mut self.flushed, true) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Some(Err(io::ErrorKind::ConnectionReset.into())))
    }
}
