//! A peer that fails as told.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;

use retry::{Report, Transient, Verdict};

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
