//! Settings before it is known whether they make a policy.

use core::time::Duration;
use std::collections::BTreeMap;

use super::error::ConfigError;
use super::key::{self, BACKOFFS, Key};
use super::raw::Raw;
use super::source::Source;
use super::strategy::{Backoff, ConfigStop, ConfigWait};
use super::value::{self, Jitter, Value};
use super::{PolicyConfig, duration};

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

impl Entry {
    /// How `key` would be given `span` in the same place.
    pub(super) fn with(&self, key: Key, span: Duration) -> String {
        self.source.assign_text(key, &duration::text(span))
    }
}

impl Draft {
    pub(super) fn new(source: Source) -> Self {
        Self {
            source,
            entries: BTreeMap::new(),
            removed: Vec::new(),
            misspelt: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// The settings of a finished configuration.
    pub(super) fn of(config: &PolicyConfig) -> Self {
        let mut draft = Self::new(Source::File);
        for (key, raw) in config.settings() {
            draft.set(key, &raw);
        }
        draft
    }

    /// The key of that name; notes that there is none.
    pub(super) fn key(&mut self, name: &str) -> Option<Key> {
        let key = self.source.key(name);
        if key.is_none() {
            let (fault, meant) = key::unknown(name, &self.source);
            self.fault(fault);
            self.misspelt.extend(meant);
        }
        key
    }

    fn fault(&mut self, fault: String) {
        self.faults.push(fault);
    }

    pub(super) fn set(&mut self, key: Key, raw: &Raw) {
        let entry = Entry {
            source: self.source.clone(),
            written: self.source.assign(key, raw),
            value: value::read(key, raw, &self.source),
        };
        if self.entries.insert(key, entry).is_some() {
            let name = self.source.name(key.name());
            self.fault(format!("`{name}` is given twice; remove one"));
        }
    }

    pub(super) fn remove(&mut self, key: Key) {
        self.removed.push(key);
    }

    /// What a valid draft and another say together, where `over` has the last word: its backoff replaces another,
    /// with the `step` or the `factor` that belonged to it.
    pub(super) fn overlaid(mut self, over: Self) -> Self {
        for key in &over.removed {
            self.entries.remove(key);
        }
        if BACKOFFS.iter().any(|key| over.entries.contains_key(key)) {
            for (backoff, own) in [
                (Key::Fixed, None),
                (Key::Linear, Some(Key::Step)),
                (Key::Exponential, Some(Key::Factor)),
            ] {
                if !over.entries.contains_key(&backoff) {
                    self.entries.remove(&backoff);
                    own.and_then(|own| self.entries.remove(&own));
                }
            }
        }
        self.entries.extend(over.entries);
        Self { entries: self.entries, ..over }
    }

    /// The policy, or everything that is wrong with it.
    pub(super) fn finish(self) -> Result<PolicyConfig, ConfigError> {
        let mut faults = self.faults.clone();
        faults.extend(self.entries.values().filter_map(|entry| entry.value.clone().err()));
        self.check(&mut faults);
        match self.backoff() {
            Some(backoff) if faults.is_empty() => Ok(PolicyConfig {
                stop: ConfigStop {
                    attempts: self.count(Key::Attempts),
                    within: self.span(Key::Within),
                },
                wait: ConfigWait {
                    backoff,
                    cap: self.span(Key::Cap),
                    floor: self.span(Key::Floor),
                    jitter: self.jitter(),
                },
            }),
            _ => Err(ConfigError::new(faults)),
        }
    }

    /// The backoff's key, if exactly one is given.
    pub(super) fn backoff_key(&self) -> Option<Key> {
        let mut given = BACKOFFS.into_iter().filter(|key| self.entries.contains_key(key));
        given.next().filter(|_| given.next().is_none())
    }

    /// A valid duration and what says so.
    pub(super) fn timed(&self, key: Key) -> Option<(Duration, &Entry)> {
        Some((self.span(key)?, self.entries.get(&key)?))
    }

    /// The backoff, if there is one and it is valid.
    fn backoff(&self) -> Option<Backoff> {
        let key = self.backoff_key()?;
        let delay = self.span(key)?;
        Some(match key {
            Key::Linear => Backoff::Linear { start: delay, step: self.span(Key::Step) },
            Key::Exponential => {
                Backoff::Exponential { base: delay, factor: self.number(Key::Factor) }
            }
            _ => Backoff::Fixed(delay),
        })
    }

    fn value(&self, key: Key) -> Option<Value> {
        self.entries.get(&key)?.value.as_ref().ok().copied()
    }

    fn count(&self, key: Key) -> Option<u32> {
        match self.value(key) {
            Some(Value::Count(count)) => Some(count),
            _ => None,
        }
    }

    pub(super) fn span(&self, key: Key) -> Option<Duration> {
        match self.value(key) {
            Some(Value::Span(span)) => Some(span),
            _ => None,
        }
    }

    fn number(&self, key: Key) -> Option<f64> {
        match self.value(key) {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        }
    }

    pub(super) fn jitter(&self) -> Jitter {
        match self.value(Key::Jitter) {
            Some(Value::Jitter(jitter)) => jitter,
            _ => Jitter::None,
        }
    }
}
