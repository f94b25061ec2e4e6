//! Settings before it is known whether they make a policy.

use core::time::Duration;
use std::collections::BTreeMap;

use super::error::ConfigError;
use super::key::{self, BACKOFFS, Key};
use super::raw::Raw;
use super::source::Source;
use super::value::{self, Jitter, Value};
use super::{Backoff, PolicyConfig, duration};

/// Settings from one or more sources, and what is wrong with them so far.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// How advice that concerns no entry is written.
    source: Source,
    entries: BTreeMap<Key, Entry>,
    /// Keys that are given without a value, which takes away what another source says.
    removed: Vec<Key>,
    /// What is wrong with names.
    faults: Vec<String>,
}

#[derive(Clone, Debug)]
struct Entry {
    source: Source,
    written: String,
    value: Result<Value, String>,
}

impl Entry {
    /// How `key` would be given `span` in the same place.
    fn with(&self, key: Key, span: Duration) -> String {
        self.source.assign_text(key, &duration::text(span))
    }
}

impl Draft {
    pub(super) fn new(source: Source) -> Self {
        Self { source, entries: BTreeMap::new(), removed: Vec::new(), faults: Vec::new() }
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
            self.fault(key::unknown(name, &self.source));
        }
        key
    }

    pub(super) fn fault(&mut self, fault: String) {
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

    /// What the two say together, where `over` has the last word: its backoff replaces another,
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
        self.faults.extend(over.faults);
        Self { source: over.source, removed: over.removed, ..self }
    }

    /// The policy, or everything that is wrong with it.
    pub(super) fn finish(self) -> Result<PolicyConfig, ConfigError> {
        let mut faults = self.faults.clone();
        faults.extend(self.entries.values().filter_map(|entry| entry.value.clone().err()));
        self.bounds(&mut faults);
        self.backoffs(&mut faults);
        self.limits(&mut faults);
        match self.backoff() {
            Some(backoff) if faults.is_empty() => Ok(PolicyConfig {
                attempts: self.count(Key::Attempts),
                within: self.span(Key::Within),
                backoff,
                cap: self.span(Key::Cap),
                floor: self.span(Key::Floor),
                jitter: self.jitter(),
            }),
            _ => Err(ConfigError::new(faults)),
        }
    }

    /// Every call must end.
    fn bounds(&self, faults: &mut Vec<String>) {
        let keys = [Key::Attempts, Key::Within];
        if keys.iter().any(|key| self.entries.contains_key(key)) {
            return;
        }
        let [attempts, within] = keys.map(|key| self.source.example(key));
        let without = self.without(&keys);
        faults.push(format!("{without}nothing says when to give up: write {attempts} or {within}"));
    }

    /// Exactly one backoff, and nothing that belongs to another.
    fn backoffs(&self, faults: &mut Vec<String>) {
        let given: Vec<_> = BACKOFFS.iter().filter_map(|key| self.entries.get(key)).collect();
        let stray = |key, of: Key| {
            (!self.entries.contains_key(&of)).then(|| self.entries.get(&key)).flatten()
        };
        let strays = [(Key::Step, Key::Linear), (Key::Factor, Key::Exponential)]
            .into_iter()
            .filter_map(|(key, of)| Some((stray(key, of)?, of)));
        let mut lacking = false;
        for (entry, of) in strays {
            let written = &entry.written;
            let belongs = entry.source.name(of.name());
            if let Some(other) = given.first() {
                let other = &other.written;
                faults.push(format!("{written} belongs to `{belongs}`; remove it beside {other}"));
            } else {
                lacking = true;
                let example = entry.source.example(of);
                faults.push(format!(
                    "{written} belongs to `{belongs}`, which is missing: write {example}"
                ));
            }
        }
        match given.as_slice() {
            [] if lacking => {}
            [] => {
                let [fixed, linear, exponential] = BACKOFFS.map(|key| self.source.example(key));
                let without = self.without(&BACKOFFS);
                faults.push(format!(
                    "{without}nothing says how long to wait before the next attempt: write \
                     {exponential}, {fixed} or {linear}"
                ));
            }
            [_] => {}
            [others @ .., last] => {
                let others: Vec<_> = others.iter().map(|entry| entry.written.as_str()).collect();
                let (others, last) = (others.join(", "), &last.written);
                faults.push(format!("{others} and {last} exclude each other; keep one"));
            }
        }
    }

    /// The variables that have taken away one of `keys`.
    fn without(&self, keys: &[Key]) -> String {
        let removed = self.removed.iter().filter(|key| keys.contains(key));
        let removed: Vec<_> = removed.map(|key| self.source.assign_text(*key, "")).collect();
        if removed.is_empty() { String::new() } else { format!("with {} ", removed.join(" and ")) }
    }

    /// Whether the numbers leave room for each other.
    fn limits(&self, faults: &mut Vec<String>) {
        let (cap, floor) = (self.timed(Key::Cap), self.timed(Key::Floor));
        if let (Some((limit, cap)), Some((least, floor))) = (cap, floor) {
            if least > limit {
                let most = floor.with(Key::Floor, limit);
                let (floor, cap) = (&floor.written, &cap.written);
                faults.push(format!("{floor} is above {cap}; write {most} or less"));
            }
        }
        let Some((first, backoff)) = self.first_wait() else { return };
        self.standstill(faults);
        if let Some((limit, cap)) = cap {
            if limit < first {
                let least = cap.with(Key::Cap, first);
                let (cap, backoff) = (&cap.written, &backoff.written);
                faults.push(format!(
                    "{cap} is below the first wait of {backoff}; write {least} or more"
                ));
            }
        }
        if let Some((limit, within)) = self.timed(Key::Within) {
            let least = self.least_first_delay(first);
            if limit <= least {
                let (within, least) = (&within.written, duration::text(least));
                faults.push(format!(
                    "{within} leaves no room for a retry: the first wait is at least {least}; \
                     write more than that, or a shorter wait"
                ));
            }
        }
    }

    /// A `linear` of nothing and nothing never waits.
    fn standstill(&self, faults: &mut Vec<String>) {
        let Some((Duration::ZERO, linear)) = self.timed(Key::Linear) else { return };
        let how = match self.entries.get(&Key::Step) {
            Some(step) if self.span(Key::Step) == Some(Duration::ZERO) => {
                format!("with {}", step.written)
            }
            Some(_) => return,
            None => format!("without a `{}`", linear.source.name(Key::Step.name())),
        };
        let fixed = linear.with(Key::Fixed, Duration::ZERO);
        let linear = &linear.written;
        faults.push(format!("{linear} {how} never waits; write {fixed} if that is meant"));
    }

    /// The first delay before jitter and limits, where there is one backoff, and what says so.
    fn first_wait(&self) -> Option<(Duration, &Entry)> {
        let mut given = BACKOFFS.into_iter().filter(|key| self.entries.contains_key(key));
        let (Some(key), None) = (given.next(), given.next()) else { return None };
        self.timed(key)
    }

    /// A valid duration and what says so.
    fn timed(&self, key: Key) -> Option<(Duration, &Entry)> {
        Some((self.span(key)?, self.entries.get(&key)?))
    }

    /// What the first delay is not shorter than.
    fn least_first_delay(&self, first: Duration) -> Duration {
        let first = self.span(Key::Cap).map_or(first, |cap| cap.min(first));
        let least = match self.jitter() {
            Jitter::None | Jitter::Additive(_) => first,
            Jitter::Full => Duration::ZERO,
            Jitter::Equal => first / 2,
            Jitter::Factor(factor) => {
                let least = first.as_secs_f64() * (1.0 - factor);
                Duration::try_from_secs_f64(least).map_or(first, |least| least.min(first))
            }
        };
        least.max(self.span(Key::Floor).unwrap_or_default())
    }

    /// The backoff, if there is one and it is valid.
    fn backoff(&self) -> Option<Backoff> {
        let mut given = BACKOFFS.into_iter().filter(|key| self.entries.contains_key(key));
        let (Some(key), None) = (given.next(), given.next()) else { return None };
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

    fn span(&self, key: Key) -> Option<Duration> {
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

    fn jitter(&self) -> Jitter {
        match self.value(Key::Jitter) {
            Some(Value::Jitter(jitter)) => jitter,
            _ => Jitter::None,
        }
    }
}
