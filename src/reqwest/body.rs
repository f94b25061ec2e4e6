//! The body of an answer that may not be wanted, but is if it stays the last.

use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;
use std::collections::VecDeque;

use ::reqwest::{Body, Error, Response, ResponseBuilderExt};
use http_body::{Body as HttpBody, Frame, SizeHint};

/// What an error page takes, and no more: the rest stays unread.
const MOST: u64 = 64 * 1024;

/// Most come with their headers. Who sends slowly shall not hold up the next attempt.
const PATIENCE: Duration = Duration::from_millis(100);

/// The same answer, with its body read as far as that is quick: a connection whose answer is read to its
/// end goes back to the pool, while the answer may still be returned.
pub(super) async fn read(response: Response) -> Response {
    let url = response.url().clone();
    let (mut parts, body) = ::http::Response::<Body>::from(response).into_parts();
    let mut held = Held { read: VecDeque::new(), rest: Some(body) };
    // What is cut here goes on where it was.
    let _ = tokio::time::timeout(PATIENCE, held.fill()).await;
    if let Ok(named) = ::http::Response::builder().url(url).body(()) {
        parts.extensions.extend(named.into_parts().0.extensions);
    }
    ::http::Response::from_parts(parts, Body::wrap(held)).into()
}

type Data = <Body as HttpBody>::Data;

/// A body of which some has been read.
struct Held {
    read: VecDeque<Result<Frame<Data>, Error>>,
    rest: Option<Body>,
}

impl Held {
    /// Reads until its end, or as much as is held.
    async fn fill(&mut self) {
        let mut size = self.rest.as_ref().map_or(0, |rest| rest.size_hint().lower());
        if size > MOST {
            return;
        }
        size = 0;
        while let Some(rest) = &mut self.rest {
            let frame = poll_fn(|cx| Pin::new(&mut *rest).poll_frame(cx)).await;
            match &frame {
                Some(Ok(frame)) => size += frame.data_ref().map_or(0, |data| data.len() as u64),
                // One that has failed may say afterwards that it is complete.
                Some(Err(_)) | None => self.rest = None,
            }
            self.read.extend(frame);
            if size > MOST {
                return;
            }
        }
    }
}

impl HttpBody for Held {
    type Data = Data;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Data>, Error>>> {
        if let Some(frame) = self.read.pop_front() {
            return Poll::Ready(Some(frame));
        }
        match &mut self.rest {
            Some(rest) => Pin::new(rest).poll_frame(cx),
            None => Poll::Ready(None),
        }
    }

    fn size_hint(&self) -> SizeHint {
        let data = |frame: &Result<Frame<Data>, Error>| {
            frame.as_ref().ok().and_then(Frame::data_ref).map_or(0, |data| data.len() as u64)
        };
        let read: u64 = self.read.iter().map(data).sum();
        let rest = self.rest.as_ref().map_or(SizeHint::with_exact(0), HttpBody::size_hint);
        let mut hint = SizeHint::new();
        hint.set_lower(read.saturating_add(rest.lower()));
        // One that was cut short has no length.
        if let (Some(upper), true) = (rest.upper(), self.read.iter().all(Result::is_ok)) {
            hint.set_upper(read.saturating_add(upper));
        }
        hint
    }
}
