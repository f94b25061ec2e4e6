//! The other service, in this process, so that the example needs nothing else: one that has its moods.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use tokio::net::TcpListener;

/// How often each path has been asked for.
#[derive(Clone, Default)]
pub(crate) struct Asked(Arc<Mutex<HashMap<String, u32>>>);

impl Asked {
    pub(crate) fn times(&self, path: &str) -> u32 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(path).copied().unwrap_or(0)
    }

    fn again(&self, path: &str) -> u32 {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let times = asked.entry(path.to_owned()).or_default();
        *times += 1;
        *times
    }
}

pub(crate) struct Upstream {
    pub(crate) url: String,
    pub(crate) asked: Asked,
}

pub(crate) async fn start() -> io::Result<Upstream> {
    let asked = Asked::default();
    let app = Router::new()
        .route("/stock/{item}", get(stock))
        // Not before the second time.
        .route(
            "/prices",
            get(async |State(asked): State<Asked>| match asked.again("prices") {
                1 => Err(StatusCode::SERVICE_UNAVAILABLE),
                _ => Ok("tea 3"),
            }),
        )
        .with_state(asked.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(Upstream { url, asked })
}

/// There is tea; two of three times there is something flaky; nobody can say what is down, and what is
/// busy will be so for an hour.
async fn stock(
    State(asked): State<Asked>,
    Path(item): Path<String>,
) -> Result<&'static str, (StatusCode, [(&'static str, &'static str); 1])> {
    let times = asked.again(&item);
    let unavailable = |after| Err((StatusCode::SERVICE_UNAVAILABLE, [("retry-after", after)]));
    match item.as_str() {
        "tea" => Ok("7"),
        "flaky" if times % 3 == 0 => Ok("2"),
        "flaky" | "down" => unavailable("0"),
        "busy" => unavailable("3600"),
        _ => Err((StatusCode::NOT_FOUND, [("x-item", "unknown")])),
    }
}
