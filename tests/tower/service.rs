//! A service that does what it is told, and breaks when it is called out of turn.

use std::collections::VecDeque;
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use retry::{Interrupted, Transient, Verdict};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::Service;

/// What can go wrong, and so what it means.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    Busy,
    Lost,
    Gone,
    Interrupted(Interrupted),
}

impl From<Interrupted> for Fault {
    fn from(interrupted: Interrupted) -> Self {
        Self::Interrupted(interrupted)
    }
}

impl Transient for Fault {
    fn verdict(&self) -> Verdict {
        match self {
            Self::Busy => Verdict::Retry,
            Self::Lost => Verdict::Ambiguous,
            Self::Gone | Self::Interrupted(_) => Verdict::Final,
        }
    }
}

/// What one attempt comes to.
#[derive(Clone, Debug)]
pub enum Step {
    Answer(u16),
    Fails(Fault),
    /// Its readiness fails.
    Unready(Fault),
    /// It never gets ready.
    Stuck,
    Hangs,
    Panics,
}

#[derive(Debug, Default)]
struct Seen {
    steps: VecDeque<Step>,
    requests: Vec<String>,
    attempts: Vec<Option<u32>>,
    clones: usize,
}

/// Has `places` for requests at a time; a place is reserved by getting ready, and kept until the answer
/// or its future is dropped.
#[derive(Debug)]
pub struct Scripted {
    seen: Arc<Mutex<Seen>>,
    places: Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
    has_failed: bool,
}

/// What an answer is: it may hold its place.
#[derive(Debug)]
#[allow(dead_code)] // the place is held, and not looked at
pub struct Answer(pub u16, pub Option<OwnedSemaphorePermit>);

impl Scripted {
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self::with_places(1, steps)
    }

    pub fn with_places(places: usize, steps: impl IntoIterator<Item = Step>) -> Self {
        let seen = Seen { steps: steps.into_iter().collect(), ..Seen::default() };
        Self {
            seen: Arc::new(Mutex::new(seen)),
            places: Arc::new(Semaphore::new(places)),
            permit: None,
            has_failed: false,
        }
    }

    /// The requests that were sent.
    pub fn requests(&self) -> Vec<String> {
        self.seen.lock().unwrap().requests.clone()
    }

    /// In which attempt each of them was, as far as the service could tell.
    pub fn attempts(&self) -> Vec<Option<u32>> {
        self.seen.lock().unwrap().attempts.clone()
    }

    pub fn clones(&self) -> usize {
        self.seen.lock().unwrap().clones
    }

    /// The places that nobody holds.
    pub fn free(&self) -> usize {
        self.places.available_permits()
    }

    /// Another handle, which is no clone of the layer's making.
    pub fn watch(&self) -> Self {
        Self {
            seen: Arc::clone(&self.seen),
            places: Arc::clone(&self.places),
            permit: None,
            has_failed: false,
        }
    }
}

impl Clone for Scripted {
    fn clone(&self) -> Self {
        self.seen.lock().unwrap().clones += 1;
        self.watch()
    }
}

impl Service<String> for Scripted {
    type Response = Answer;
    type Error = Fault;
    type Future = Pin<Box<dyn Future<Output = Result<Answer, Fault>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Fault>> {
        assert!(!self.has_failed, "asked again after its readiness has failed");
        if self.permit.is_none() {
            match Arc::clone(&self.places).try_acquire_owned() {
                Ok(permit) => self.permit = Some(permit),
                Err(_) => {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
            }
        }
        let mut seen = self.seen.lock().unwrap();
        match seen.steps.front().cloned() {
            Some(Step::Unready(fault)) => {
                seen.steps.pop_front();
                self.has_failed = true;
                Poll::Ready(Err(fault))
            }
            // Its place is taken all the while.
            Some(Step::Stuck) => Poll::Pending,
            _ => Poll::Ready(Ok(())),
        }
    }

    fn call(&mut self, request: String) -> Self::Future {
        let permit = self.permit.take();
        assert!(permit.is_some(), "called without being ready");
        let step = {
            let mut seen = self.seen.lock().unwrap();
            seen.requests.push(request);
            seen.attempts.push(retry::current().map(|current| current.number()));
            seen.steps.pop_front()
        };
        Box::pin(async move {
            match step {
                Some(Step::Answer(status)) => Ok(Answer(status, permit)),
                Some(Step::Fails(fault)) => Err(fault),
                Some(Step::Panics) => panic!("as told"),
                Some(Step::Hangs) => pending().await,
                step => unreachable!("called for {step:?}"),
            }
        })
    }
}

impl Scripted {
    /// Takes a step away that would not go by itself.
    pub fn skip(&self) {
        self.seen.lock().unwrap().steps.pop_front();
    }
}
