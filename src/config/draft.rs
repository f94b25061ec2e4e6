//! Settings before it is known whether they make a policy.

use core::time::Duration;
use std::collections::BTreeMap;

use retry_core::MaxHint;
use retry_core::macros::Threshold;

use super::PolicyConfig;
use super::error::ConfigError;
use super::key::{BACKOFFS, Key};
use super::source::{Raw, Source};
use super::strategy::{Backoff, ConfigStop, ConfigWait};
use super::value::{Jitter, Setting, Value};

/// Settings from one or more sources, and what is wrong with them so far.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// How advice that concerns no entry is written.
    pub(super) source: Source,
    pub(super) entries: BTreeMap<Key, Entry>,
    /// Keys that are given without a value, which takes away what another source says.
    pub(super) removed: Vec<Key>,
    /// Keys that were most likely meant by unknown ones, so that nobody misses them.
    pub(super) misspelt: Vec<Key>,
    /// What is wrong with names.
    faults: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) source: Source,
    pub(super) written: String,
    pub(super) value: Result<Value, String>,
}

impl Draft {
    pub(super) fn new(source: Source) -> Self {
        let (entries, [removed, misspelt]) = (BTreeMap::new(), [const { Vec::new() }; 2]);
        Self { source, entries, removed, misspelt, faults: Vec::new() }
    }

    /// The key of that name; notes that there is none.
    pub(super) fn key(&mut self, name: &str) -> Option<Key> {
        let key = self.source.key(name);
        key.map_err(|(fault, meant)| {
            self.faults.push(fault);
            self.misspelt.extend(meant);
        })
        .ok()
    }

    /// Sets what is yet to be read.
    pub(super) fn read(&mut self, key: Key, raw: &Raw) {
        self.insert(key, raw, None);
    }

    pub(super) fn set(&mut self, key: Key, value: Value) {
        self.insert(key, &value.raw(), Some(value));
    }

    fn insert(&mut self, key: Key, raw: &Raw, value: Option<Value>) {
        let source = self.source.clone();
        let written = source.assign(key, raw);
        let setting = Setting { source: &source, key, raw, written: &written };
        let value = value.map_or_else(|| setting.read(), Ok).and_then(|value| setting.check(value));
        if self.entries.insert(key, Entry { source, written, value }).is_some() {
            self.faults.push(format!("`{}` is given twice; remove one", self.source.name(key)));
        }
    }

    /// What a valid draft and another say together, where `over` has the last word: its backoff
    /// replaces another, with the `step` or the `factor` that belonged to it.
    pub(super) fn overlaid(mut self, over: Self) -> Self {
        let has = |key: &Key| over.entries.contains_key(key);
        let replaced = BACKOFFS.iter().any(has);
        self.entries.retain(|key, _| {
            let backoff = key.backoff().unwrap_or(*key);
            let stays = has(&backoff) || !replaced || !BACKOFFS.contains(&backoff);
            stays && !over.removed.contains(key)
        });
        self.entries.extend(over.entries);
        Self { entries: self.entries, ..over }
    }

    /// The policy, or everything that is wrong with it.
    pub(super) fn finish(self) -> Result<PolicyConfig, ConfigError> {
        let mut faults = self.faults.clone();
        faults.extend(self.entries.values().filter_map(|entry| entry.value.clone().err()));
        self.check(&mut faults);
        let attempts = match self.value(Key::Attempts) {
            Some(Value::Count(attempts)) => Some(attempts),
            _ => None,
        };
        match self.wait() {
            Some(wait) if faults.is_empty() => Ok(PolicyConfig {
                stop: ConfigStop {
                    attempts,
                    within: self.span(Key::Within),
                    deadline: self.span(Key::Deadline),
                },
                attempt_timeout: self.span(Key::AttemptTimeout),
                max_hint: match self.value(Key::MaxHint) {
                    Some(Value::Hint(most)) => most,
                    _ => MaxHint::Remaining,
                },
                warn_after: self.threshold(Key::WarnAfter),
                warn_every: self.threshold(Key::WarnEvery),
                wait,
            }),
            _ => Err(ConfigError::new(faults)),
        }
    }

    /// What it says about the wait, if that is valid.
    pub(super) fn wait(&self) -> Option<ConfigWait> {
        // All keys but the bounds and limits.
        if self.entries.range(Key::Fixed..).any(|(_, entry)| entry.value.is_err()) {
            return None;
        }
        let (key, first) = self.backoff()?;
        let backoff = match key {
            Key::Linear => Backoff::Linear { start: first, step: self.span(Key::Step) },
            Key::Exponential => {
                let factor = match self.value(Key::Factor) {
                    Some(Value::Number(factor)) => Some(factor),
                    _ => None,
                };
                Backoff::Exponential { base: first, factor }
            }
            _ => Backoff::Fixed(first),
        };
        let jitter = match self.value(Key::Jitter) {
            Some(Value::Jitter(jitter)) => jitter,
            _ => Jitter::None,
        };
        Some(ConfigWait { backoff, cap: self.span(Key::Cap), floor: self.span(Key::Floor), jitter })
    }

    /// The backoff and its first delay, if exactly one is given and that is valid.
    pub(super) fn backoff(&self) -> Option<(Key, Duration)> {
        let mut given = BACKOFFS.into_iter().filter(|key| self.entries.contains_key(key));
        let key = given.next().filter(|_| given.next().is_none())?;
        Some((key, self.span(key)?))
    }

    pub(super) fn span(&self, key: Key) -> Option<Duration> {
        match self.value(key)? {
            Value::Span(span) => Some(span),
            _ => None,
        }
    }

    fn threshold(&self, key: Key) -> Threshold {
        match self.value(key) {
            Some(Value::Count(count)) => Threshold::Attempts(count),
            Some(Value::Span(span)) => Threshold::Elapsed(span),
            _ => Threshold::None,
        }
    }

    fn value(&self, key: Key) -> Option<Value> {
        self.entries.get(&key)?.value.as_ref().ok().copied()
    }
}
