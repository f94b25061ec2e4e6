//! Something that fails, and writes down what is done to it.

use std::sync::Mutex;

use retry::{Attempt, Report};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Busy(pub(crate) u32);

pub(crate) type Outcome = Result<u32, Busy>;

/// Fails until it has been asked `good` times.
#[derive(Debug)]
pub(crate) struct Peer {
    good: u32,
    calls: Mutex<u32>,
    log: Mutex<Vec<String>>,
}

impl Peer {
    pub(crate) const fn good_at(good: u32) -> Self {
        Self { good, calls: Mutex::new(0), log: Mutex::new(Vec::new()) }
    }

    /// Succeeds at the third attempt.
    pub(crate) const fn third() -> Self {
        Self::good_at(3)
    }

    pub(crate) const fn never() -> Self {
        Self::good_at(u32::MAX)
    }

    pub(crate) fn ask(&self) -> Outcome {
        let mut calls = self.calls.lock().unwrap();
        *calls += 1;
        self.note(format!("body {calls}"));
        if *calls >= self.good { Ok(*calls) } else { Err(Busy(*calls)) }
    }

    pub(crate) async fn ask_slowly(&self) -> Outcome {
        tokio::task::yield_now().await;
        self.ask()
    }

    pub(crate) fn calls(&self) -> u32 {
        *self.calls.lock().unwrap()
    }

    pub(crate) fn note(&self, what: impl Into<String>) {
        self.log.lock().unwrap().push(what.into());
    }

    pub(crate) async fn note_slowly(&self, what: impl Into<String>) {
        tokio::task::yield_now().await;
        self.note(what);
    }

    /// What was noted since the last look, without what the body did.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = self.take();
        notes.retain(|note| !note.starts_with("body"));
        notes
    }

    /// The same with the body's.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.log.lock().unwrap())
    }
}

thread_local!(static NOTES: std::cell::RefCell<Vec<String>> = const {
    std::cell::RefCell::new(Vec::new())
});

/// Notes for functions that are given nothing to write on.
pub(crate) fn jot(what: impl Into<String>) {
    NOTES.with_borrow_mut(|notes| notes.push(what.into()));
}

pub(crate) fn jotted() -> Vec<String> {
    NOTES.take()
}

pub(crate) fn jot_attempt(attempt: &Attempt) {
    jot(format!("attempt {}", attempt.number()));
}

pub(crate) async fn jot_attempt_slowly(attempt: &Attempt) {
    tokio::task::yield_now().await;
    jot(format!("slowly {}", attempt.number()));
}

pub(crate) fn jot_outcome<O: std::fmt::Debug>(attempt: &Attempt, outcome: &O) {
    jot(format!("{} {outcome:?}", attempt.number()));
}

pub(crate) async fn jot_outcome_slowly<O: std::fmt::Debug>(attempt: &Attempt, outcome: &O) {
    tokio::task::yield_now().await;
    jot(format!("slowly {} {outcome:?}", attempt.number()));
}

pub(crate) fn jot_end<O: std::fmt::Debug>(report: &Report, outcome: &O) {
    jot(format!("{} after {}: {outcome:?}", report.reason(), report.attempts()));
}
