//! An HTTP server that is unavailable for its first two requests.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// Starts the server on a port of its own and gives its URL.
pub(crate) async fn flaky_server() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let addr = listener.local_addr()?;
    tokio::spawn(serve(listener));
    Ok(format!("http://{addr}/answer"))
}

async fn serve(listener: TcpListener) {
    let requests = Arc::new(AtomicU32::new(0));
    while let Ok((stream, _)) = listener.accept().await {
        let requests = Arc::clone(&requests);
        let answer = service_fn(move |_| {
            let (status, body) = match requests.fetch_add(1, Ordering::Relaxed) {
                0 | 1 => (StatusCode::SERVICE_UNAVAILABLE, ""),
                _ => (StatusCode::OK, "42"),
            };
            let mut response = Response::new(body.to_owned());
            *response.status_mut() = status;
            async { Ok::<_, Infallible>(response) }
        });
        // A client that hangs up is none of the server's business.
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answer));
    }
}
