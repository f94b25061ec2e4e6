//! Whether settings that are valid alone make a policy together.

use core::time::Duration;

use retry_core::{Policy, State, Stop, on, stop, text};

use super::draft::{Draft, Entry};
use super::key::{BACKOFFS, BOUNDS, Key};
use super::source::ENDLESS_LINK;

impl Draft {
    /// Notes what does not go together.
    pub(super) fn check(&self, faults: &mut Vec<String>) {
        self.bounds(faults);
        self.backoffs(faults);
        self.limits(faults);
    }

    /// Whether one of `keys` is given, or was meant to be.
    fn has(&self, keys: &[Key]) -> bool {
        keys.iter().any(|key| self.entries.contains_key(key) || self.misspelt.contains(key))
    }

    /// The variables that have taken away one of `keys`.
    fn without(&self, keys: &[Key]) -> String {
        let removed = self.removed.iter().filter(|key| keys.contains(key));
        let removed: Vec<_> = removed.map(|key| self.source.write(*key, "")).collect();
        if removed.is_empty() { String::new() } else { format!("with {} ", removed.join(" and ")) }
    }

    /// Every call must end.
    fn bounds(&self, faults: &mut Vec<String>) {
        if !self.has(&BOUNDS) {
            let [attempts, within] = BOUNDS.map(|key| self.source.example(key));
            let without = self.without(&BOUNDS);
            faults.push(format!(
                "{without}nothing says when to give up: write {attempts} or {within}; {ENDLESS_LINK}"
            ));
        }
    }

    /// Exactly one backoff, and nothing that belongs to another.
    fn backoffs(&self, faults: &mut Vec<String>) {
        let given = BACKOFFS.iter().filter_map(|key| self.entries.get(key));
        let given: Vec<_> = given.map(|entry| entry.written.as_str()).collect();
        let mut lacking = !self.has(&BACKOFFS);
        for (key, Entry { source, written, .. }) in &self.entries {
            let Some(of) = key.backoff().filter(|of| !self.entries.contains_key(of)) else {
                continue;
            };
            let belongs = format!("{written} belongs to `{}`", source.name(of));
            faults.push(match given.first() {
                Some(other) => format!("{belongs}; remove it beside {other}"),
                None => format!("{belongs}, which is missing: write {}", source.example(of)),
            });
            lacking = false;
        }
        if lacking {
            let [fixed, linear, exponential] = BACKOFFS.map(|key| self.source.example(key));
            let without = self.without(&BACKOFFS);
            faults.push(format!(
                "{without}nothing says how long to wait before the next attempt: write \
                 {exponential}, {fixed} or {linear}"
            ));
        }
        if let [others @ .., last] = given.as_slice() {
            if !others.is_empty() {
                let others = others.join(", ");
                faults.push(format!("{others} and {last} exclude each other; keep one"));
            }
        }
    }

    /// Whether the numbers leave room for each other.
    fn limits(&self, faults: &mut Vec<String>) {
        let timed = |key| Some((self.span(key)?, self.entries.get(&key)?));
        // How `key` would be given `span` in the place of `entry`.
        let with = |entry: &Entry, key, span| entry.source.write(key, &text::write(span));
        let cap = timed(Key::Cap);
        if let (Some((limit, cap)), Some((least, floor))) = (cap, timed(Key::Floor)) {
            if least > limit {
                let most = with(floor, Key::Floor, limit);
                let (floor, cap) = (&floor.written, &cap.written);
                faults.push(format!("{floor} is above {cap}; write {most} or less"));
            }
        }
        if let (Some((deadline, call)), Some((timeout, attempt))) =
            (timed(Key::Deadline), timed(Key::AttemptTimeout))
        {
            if timeout >= deadline {
                let (call, attempt) = (&call.written, &attempt.written);
                faults.push(format!(
                    "{call} comes before {attempt} has cut an attempt; write a shorter one, or remove it"
                ));
            }
        }
        let Some((first, backoff)) = self.backoff().and_then(|(key, _)| timed(key)) else { return };
        let written = &backoff.written;
        let step = timed(Key::Step).map(|(step, entry)| (step, &entry.written));
        let standstill = match step {
            _ if !first.is_zero() || !self.entries.contains_key(&Key::Linear) => None,
            None if self.entries.contains_key(&Key::Step) => None,
            None => Some(format!("without a `{}`", backoff.source.name(Key::Step))),
            Some((step, entry)) => step.is_zero().then(|| format!("with {entry}")),
        };
        if let Some(how) = standstill {
            let fixed = with(backoff, Key::Fixed, Duration::ZERO);
            faults.push(format!("{written} {how} never waits; write {fixed} if that is meant"));
        }
        if let Some((_, cap)) = cap.filter(|(limit, _)| *limit < first) {
            let (least, cap) = (with(cap, Key::Cap, first), &cap.written);
            faults
                .push(format!("{cap} is below the first wait of {written}; write {least} or more"));
        }
        let Some(wait) = self.wait() else { return };
        let once = Policy::new(stop::attempts(2), wait, on::any_error()).preview();
        let least = once.rows().last().map_or(first, |retry| retry.low);
        for (limit, Entry { written, .. }) in
            [Key::Within, Key::Deadline].into_iter().filter_map(timed)
        {
            if stop::within(limit).stop(&State::new(1).with_delay(least)) {
                let least = text::write(least);
                faults.push(format!(
                    "{written} leaves no room for a retry: the first wait is at least {least}; \
                     write more than that, or a shorter wait"
                ));
            }
        }
    }
}
