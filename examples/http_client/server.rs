//! The service, on the loopback, with its bad days written down; it prints what it is asked.

use std::collections::HashMap;
use std::future::pending;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// What is done with a request.
#[derive(Clone, Copy, Debug)]
enum Reply {
    Answer(u16, &'static str),
    /// An answer with one header.
    With(u16, &'static str, &'static str),
    Hang,
    /// The connection is closed without an answer.
    Close,
}

use Reply::{Answer, Close, Hang, With};

/// What the service does with the requests for a path, one after the other; the last repeats.
fn script(path: &str) -> &'static [Reply] {
    match path {
        "/orders/1" => &[Answer(200, "three boxes of tea")],
        "/orders/2" => &[
            With(503, "retry-after-ms", "80"),
            Close,
            Answer(502, ""),
            Answer(200, "a jug of milk"),
        ],
        "/orders/3" => &[With(429, "retry-after", "3600")],
        // The first of each is carried out, and its answer is lost.
        "/orders" => &[Hang, Answer(409, ""), Answer(201, "order 7")],
        "/orders/5" | "/mail" => &[Hang],
        "/outage" => &[
            Answer(503, ""),
            Answer(503, ""),
            Answer(503, ""),
            Answer(503, ""),
            Answer(503, ""),
            Answer(200, "back again"),
        ],
        _ => &[Answer(404, "")],
    }
}

/// Starts the service on a port of its own and gives its URL.
pub(crate) async fn start() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let asked = Arc::new(Mutex::new(HashMap::new()));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let asked = Arc::clone(&asked);
            let service = service_fn(move |request: Request<Incoming>| {
                let path = request.uri().path().to_owned();
                let replies = script(&path);
                let reply = {
                    let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
                    let times = asked.entry(path).or_insert(0_usize);
                    *times += 1;
                    replies.get(*times - 1).or(replies.last()).copied().unwrap_or(Close)
                };
                tell(&request, reply);
                answer(reply)
            });
            // A client that hangs up is none of the server's business.
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    Ok(url)
}

fn tell(request: &Request<Incoming>, reply: Reply) {
    let key = request.headers().get("idempotency-key").and_then(|key| key.to_str().ok());
    let key = key.map_or(String::new(), |key| format!(", key {key}"));
    let reply = match reply {
        Answer(status, _) => status.to_string(),
        With(status, name, value) => format!("{status}, {name}: {value}"),
        Hang => "no answer".to_owned(),
        Close => "connection closed".to_owned(),
    };
    println!("  {} {}{key} -> {reply}", request.method(), request.uri().path());
}

async fn answer(reply: Reply) -> io::Result<Response<String>> {
    let (status, header, body) = match reply {
        Answer(status, body) => (status, None, body),
        With(status, name, value) => (status, Some((name, value)), ""),
        Hang => pending().await,
        Close => return Err(io::ErrorKind::ConnectionReset.into()),
    };
    let response = header
        .into_iter()
        .fold(Response::builder().status(status), |it, (name, value)| it.header(name, value));
    response.body(body.to_owned()).map_err(io::Error::other)
}
