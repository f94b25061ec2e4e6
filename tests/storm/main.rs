//! Many calls at once: no two of them mix, and what is counted is what they report.

#![allow(clippy::unwrap_used, clippy::panic)] // a test reports by panicking
// A function stands beside what it is asked.
#![allow(clippy::items_after_statements)]
#![allow(missing_docs)]

#[path = "../support/mod.rs"]
mod support;

use std::array;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, pending, poll_fn};
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use futures::FutureExt;
use futures::future::join_all;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use retry::{
    Mark, PastAttempt, Report, RetryError, SiteStats, StopReason, Transient, Verdict, record,
    retry, retry_with, sites,
};
use tokio::runtime::Builder;
use tokio::sync::Barrier;

use support::{ms, paused};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Busy(u32, Verdict);

impl Transient for Busy {
    fn verdict(&self) -> Verdict {
        self.1
    }
}

mod crowd;

/// What is counted of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Count {
    first_try: u64,
    recovered: u64,
    given_up: BTreeMap<&'static str, u64>,
    permanent: u64,
    cancelled: u64,
    panicked: u64,
    disabled: u64,
    retries: u64,
    waited: Duration,
}

impl Count {
    /// What the library has counted since it was asked last.
    fn of(name: &str, before: Option<&SiteStats>) -> (Self, Option<SiteStats>) {
        let now = sites().get(name).cloned();
        let Some(site) = &now else { return (Self::default(), now) };
        let since = |count: fn(&SiteStats) -> u64| count(site) - before.map_or(0, count);
        let given_up = StopReason::ALL.iter().filter_map(|&reason| {
            let count = |site: &SiteStats| site.given_up_for(reason);
            let count = count(site) - before.map_or(0, count);
            (count > 0).then_some((reason.as_str(), count))
        });
        let count = Self {
            first_try: since(SiteStats::first_try),
            recovered: since(SiteStats::recovered),
            given_up: given_up.collect(),
            permanent: since(SiteStats::permanent),
            cancelled: since(SiteStats::cancelled),
            panicked: since(SiteStats::panicked),
            disabled: since(SiteStats::disabled),
            retries: since(SiteStats::retries),
            waited: site.waited().saturating_sub(before.map_or(Duration::ZERO, SiteStats::waited)),
        };
        assert_eq!(since(SiteStats::calls), count.calls());
        assert_eq!(since(SiteStats::attempts), count.calls() + count.retries);
        (count, now)
    }

    fn calls(&self) -> u64 {
        let given_up: u64 = self.given_up.values().sum();
        let ended = self.first_try + self.recovered + self.permanent + given_up;
        ended + self.cancelled + self.panicked + self.disabled
    }

    fn add(&mut self, report: &Report) {
        match report.reason() {
            StopReason::Success if report.attempts() == 1 => self.first_try += 1,
            StopReason::Success => self.recovered += 1,
            StopReason::Permanent => self.permanent += 1,
            StopReason::Cancelled => self.cancelled += 1,
            StopReason::Disabled => self.disabled += 1,
            reason => *self.given_up.entry(reason.as_str()).or_default() += 1,
        }
        self.retries += u64::from(report.attempts()) - 1;
        self.waited += report.waited();
    }

    /// A call that panicked has no report.
    fn add_panicked(&mut self, tally: &Tally) {
        self.panicked += 1;
        self.retries += u64::from(tally.attempts.get()) - 1;
        self.waited += tally.waited.get();
    }
}

/// What the body of a call has seen of it.
#[derive(Debug, Default)]
struct Tally {
    attempts: Cell<u32>,
    waited: Cell<Duration>,
}

mod random;

mod cancelled;
