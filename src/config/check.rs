//! Whether settings that are valid alone make a policy together.

use core::time::Duration;

use super::draft::Draft;
use super::duration;
use super::key::{BACKOFFS, Key};
use super::value::Jitter;

impl Draft {
    /// Notes what does not go together.
    pub(super) fn check(&self, faults: &mut Vec<String>) {
        self.bounds(faults);
        self.backoffs(faults);
        self.limits(faults);
    }

    /// Every call must end.
    fn bounds(&self, faults: &mut Vec<String>) {
        let keys = [Key::Attempts, Key::Within];
        if keys.iter().any(|key| self.entries.contains_key(key) || self.misspelt.contains(key)) {
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
            [] if lacking || BACKOFFS.iter().any(|key| self.misspelt.contains(key)) => {}
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
        let Some((first, backoff)) = self.backoff_key().and_then(|key| self.timed(key)) else {
            return;
        };
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
            let least = self.least_first_delay(first).unwrap_or_default();
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

    /// What the first delay is not shorter than; `None` if that cannot be told for a fault.
    fn least_first_delay(&self, first: Duration) -> Option<Duration> {
        let parts = [Key::Cap, Key::Floor, Key::Jitter];
        if parts.iter().filter_map(|key| self.entries.get(key)).any(|entry| entry.value.is_err()) {
            return None;
        }
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
        Some(least.max(self.span(Key::Floor).unwrap_or_default()))
    }
}
