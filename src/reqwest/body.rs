//! The body of an answer that may not be wanted, but is if it stays the last.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use core::time::Duration;
use std::collections::VecDeque;

use ::http::response::Parts;
use ::reqwest::{Body, Error, Response, ResponseBuilderExt, Url};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

/// What an error page takes, and no more: the rest stays unread.
const MOST: u64 = 64 * 1024;

/// Most come with their headers. Who sends slowly shall not hold up the next attempt.
const PATIENCE: Duration = Duration::from_millis(100);

/// An answer whose body is read as far as that is quick: a connection whose answer is read to its end goes
/// back to the pool, while the answer may still be returned.
pub(super) struct Reading {
    url: Url,
    head: Parts,
    body: Held,
    patience: Pin<Box<Sleep>>,
}

impl Reading {
    pub(super) fn of(response: Response) -> Self {
        let url = response.url().clone();
        let (head, body) = ::http::Response::<Body>::from(response).into_parts();
        let body = Held { read: VecDeque::new(), size: 0, rest: Some(body) };
        Self { url, head, body, patience: Box::pin(sleep(PATIENCE)) }
    }

    /// Reads until that is no longer quick.
    pub(super) fn poll_quick(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self.body.poll_fill(cx) {
            Poll::Ready(()) => Poll::Ready(()),
            Poll::Pending => self.patience.as_mut().poll(cx),
        }
    }

    /// The same answer. What was not read of its body goes on where it was.
    pub(super) fn into_response(self) -> Response {
        let Self { url, mut head, body, .. } = self;
        if let Ok(named) = ::http::Response::builder().url(url).body(()) {
            head.extensions.extend(named.into_parts().0.extensions);
        }
        ::http::Response::from_parts(head, Body::wrap(body)).into()
    }
}

type Data = <Body as HttpBody>::Data;

/// A body of which some has been read.
struct Held {
    read: VecDeque<Result<Frame<Data>, Error>>,
    size: u64,
    rest: Option<Body>,
}

impl Held {
    /// Reads until its end, or as much as is held.
    fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while let Some(rest) = &mut self.rest {
            if self.size.saturating_add(rest.size_hint().lower()) > MOST {
                break;
            }
            let frame = ready!(Pin::new(rest).poll_frame(cx));
            match &frame {
                Some(Ok(frame)) => self.size += frame.data_ref().map_or(0, |it| it.len() as u64),
                // One that has failed may say afterwards that it is complete.
                Some(Err(_)) | None => self.rest = None,
            }
            self.read.extend(frame);
        }
        Poll::Ready(())
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
