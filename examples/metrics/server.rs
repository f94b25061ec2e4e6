//! HTTP servers in this process, each on a port of its own.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::pending;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;

/// Starts a server with moods of its own, and gives its URL.
///
/// `/503/429/200/tea` is answered with 503 first, with 429 when it is asked for again, and with
/// 200 from then on; a 0 stands for no answer at all. Whatever follows the numbers only tells one
/// path from another.
pub(crate) async fn flaky() -> io::Result<String> {
    let asked = Arc::new(Mutex::new(HashMap::new()));
    serve(move |path| {
        let statuses: Vec<u16> = path.split('/').filter_map(|part| part.parse().ok()).collect();
        let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        let times = asked.entry(path.to_owned()).or_insert(0_usize);
        let status = statuses.get(*times).or(statuses.last()).copied();
        *times += 1;
        match status {
            Some(0) => None,
            status => Some((
                status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or_default(),
                String::new(),
            )),
        }
    })
    .await
}

/// Starts the server that Prometheus scrapes, and gives its URL.
///
/// In a service with a port that is known, the exporter brings one of its own:
/// `PrometheusBuilder::new().with_http_listener(([0, 0, 0, 0], 9000)).install()`.
pub(crate) async fn metrics(metrics: PrometheusHandle) -> io::Result<String> {
    Ok(serve(move |_| Some((StatusCode::OK, metrics.render()))).await? + "/metrics")
}

/// Answers every path with what `answer` makes of it, and those it has no answer for not at all.
async fn serve(
    answer: impl Fn(&str) -> Option<(StatusCode, String)> + Send + Sync + 'static,
) -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let answer = Arc::new(answer);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let answer = Arc::clone(&answer);
            let service = service_fn(move |request: Request<_>| {
                let answer = answer(request.uri().path());
                async {
                    let Some((status, body)) = answer else { pending().await };
                    let mut response = Response::new(body);
                    *response.status_mut() = status;
                    Ok::<_, Infallible>(response)
                }
            });
            // A client that hangs up is none of the server's business.
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    Ok(url)
}
