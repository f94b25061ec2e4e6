//! What the scopes around a call say about it.

use crate::Instant;
use core::fmt;
use std::sync::Arc;

use crate::engine::call::Call;
use crate::engine::clock::VirtualClock;
use crate::report::report::Report;
use crate::scope::layer::{Chances, Hook, Layer, Settings, SharedStop, SharedWait, Sink};
use crate::scope::scope::{self, Scope};
use crate::stats::site::Site;
use crate::strategy::erased::{AnyStop, AnyWait};
use crate::strategy::memory::Chance;
use crate::strategy::stop::tighter;

/// What the scopes say of chance to whatever belongs to no call: the innermost that speaks of all
/// functions.
pub(crate) fn chance_here() -> Option<Chance> {
    scope::current()?.layers().find_map(|layer| match layer {
        Layer::Overrides(settings) if settings.only.is_none() => {
            settings.chances.as_ref().map(Chances::aside)
        }
        _ => None,
    })
}

/// What holds for one call.
#[derive(Clone, Default)]
pub(crate) struct Effective {
    stop: Option<SharedStop>,
    wait: Option<SharedWait>,
    pub(crate) enabled: Option<bool>,
    pub(crate) guards: Option<bool>,
    most_attempts: Option<u32>,
    chance: Option<Chance>,
    pub(crate) clock: Option<VirtualClock>,
    pub(crate) deadline: Option<Instant>,
    sinks: Vec<Arc<Sink>>,
    /// Innermost first.
    at: Vec<(u32, Hook)>,
}

impl Effective {
    /// A call that only a success can end.
    pub(crate) fn endless(self) -> Self {
        Self { stop: None, most_attempts: None, enabled: Some(true), ..self }
    }

    /// Changes what a call that starts holds itself.
    pub(crate) fn apply_to(&self, call: &mut Call) {
        if let Some(chance) = self.chance {
            call.draw_from(chance);
        }
        if let Some(most) = self.most_attempts {
            call.set_most_attempts(most);
        }
    }

    /// What holds for a call of `site` made here; `None` in no scope.
    pub(crate) fn here(site: &Site) -> Option<Self> {
        scope::current().map(|scope| Self::of(&scope, site))
    }

    /// What the scopes around a call of `site` say about it.
    fn of(scope: &Scope, site: &Site) -> Self {
        let mut all = Self::default();
        for layer in scope.layers() {
            match layer {
                Layer::Recorder(sink) => all.sinks.push(Arc::clone(sink)),
                Layer::Overrides(settings) if settings.apply_to(site) => all.fill(settings),
                Layer::Overrides(_) => {}
                Layer::Deadline(at) | Layer::Attempt(_, at) => {
                    all.deadline = tighter(all.deadline, *at);
                }
            }
        }
        all
    }

    /// What is to run as this attempt starts, the outermost first.
    pub(crate) fn at(&self, attempt: u32) -> Vec<Hook> {
        let meant = self.at.iter().rev().filter(|(at, _)| *at == attempt);
        meant.map(|(_, hook)| Arc::clone(hook)).collect()
    }

    /// Whether reports are collected.
    pub(crate) fn is_recorded(&self) -> bool {
        !self.sinks.is_empty()
    }

    /// Hands a report on to all who collect them.
    pub(crate) fn record(&self, report: &Report) {
        for sink in &self.sinks {
            sink.push(report.clone());
        }
    }

    /// When to give up, if it is overridden.
    pub(crate) fn own_stop(&self) -> Option<&AnyStop<'_>> {
        self.stop.as_deref().map(|stop| stop as _)
    }

    /// When to give up: `theirs`, unless it is overridden.
    pub(crate) fn stop<'a>(&'a self, theirs: &'a AnyStop<'a>) -> &'a AnyStop<'a> {
        match &self.stop {
            Some(ours) => &**ours,
            None => theirs,
        }
    }

    /// How long to wait: `theirs`, unless it is overridden.
    pub(crate) fn wait<'a>(&'a self, theirs: &'a AnyWait<'a>) -> &'a AnyWait<'a> {
        match &self.wait {
            Some(ours) => &**ours,
            None => theirs,
        }
    }

    fn fill(&mut self, outer: &Settings) {
        self.stop = self.stop.take().or_else(|| outer.stop.clone());
        self.wait = self.wait.take().or_else(|| outer.wait.clone());
        self.enabled = self.enabled.or(outer.enabled);
        self.guards = self.guards.or(outer.guards);
        self.most_attempts = self.most_attempts.or(outer.most_attempts);
        self.chance = self.chance.or_else(|| outer.chances.as_ref().map(Chances::next));
        self.at.extend(outer.at.iter().rev().cloned());
        // The outermost: a pause that is skipped must pass for the calls around it too.
        self.clock = outer.clock.clone().or(self.clock.take());
    }
}

impl fmt::Debug for Effective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Effective").finish_non_exhaustive()
    }
}
