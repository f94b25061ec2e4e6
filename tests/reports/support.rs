//! A peer that fails as told.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use retry::{Report, Transient, Verdict};
use tokio::runtime::Builder;

/// An error that knows what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Busy(pub Verdict);

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the line is busy")
    }
}

impl std::error::Error for Busy {}

impl Transient for Busy {
    fn verdict(&self) -> Verdict {
        self.0
    }
}

/// Fails with these verdicts in turn, then succeeds.
#[derive(Debug)]
pub struct Peer {
    verdicts: RefCell<VecDeque<Verdict>>,
    /// What the hooks at the end of a call were told, and whether it was a success.
    told: RefCell<Vec<(bool, Report)>>,
}

impl Peer {
    pub fn failing<const N: usize>(verdicts: [Verdict; N]) -> Self {
        Self { verdicts: RefCell::new(verdicts.into()), told: RefCell::default() }
    }

    pub fn ask(&self) -> Result<u32, Busy> {
        match self.verdicts.borrow_mut().pop_front() {
            Some(verdict) => Err(Busy(verdict)),
            None => Ok(7),
        }
    }

    pub fn tell(&self, success: bool, report: &Report) {
        self.told.borrow_mut().push((success, report.clone()));
    }

    pub fn told(self) -> Vec<(bool, Report)> {
        self.told.into_inner()
    }
}

pub const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Runs a future where time passes only by sleeping, and then at once.
pub fn paused<T>(future: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.unwrap().block_on(future)
}

/// Runs a future that waits for nothing, where there is no runtime and no timer.
pub fn without_a_runtime<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}
