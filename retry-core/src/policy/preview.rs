//! What a policy will do, worked out in advance: for reviews of code, and for documentation.

use crate::Instant;
use core::time::Duration;

use crate::engine::call::Call;
use crate::engine::clock;
use crate::engine::rules::Rules;
use crate::policy::limiting::Limiting;
use crate::policy::policy::{AsPolicy, Policy};
use crate::report::reason::StopReason;
use crate::scope::deadline::Limit;
use crate::strategy::erased::{AnyStop, AnyWait, Erased};
use crate::strategy::memory::Chance;
use crate::strategy::state::State;
use crate::strategy::stop::{Boundedness, Stop, tighter};
use crate::strategy::wait::Wait;
use crate::verdict::verdict::Verdict;

mod table;

/// The schedule of a policy, attempt by attempt: between which bounds the delays lie, and when
/// each attempt starts.
///
/// Made by [`Policy::preview`](crate::Policy::preview). Its `Display` is a table:
///
/// ```
/// let policy = retry::policy! {
///     stop = attempts(9) | within(10s),
///     wait = exponential(1s).equal_jitter(),
///     on = any_error(),
/// };
/// assert_eq!(policy.preview().to_string(), "\
/// attempt     delay  earliest  latest
///       1         –        0s      0s
///       2  500ms–1s     500ms      1s  ████░░░░
///       3     1s–2s      1.5s      3s  ████████░░░░░░░
///       4     2s–4s      3.5s      7s  ███████████████░░░░░░░░░░░░░░░
///      *5       4s–      7.5s    <10s  ██████████████████████████████
/// * reached only if the delays before it are short
/// at most 5 attempts, waits of 3.5s–10s in total, within 10s
/// ");
/// ```
///
/// It is worked out as if the attempts took no time and every failure were a plain
/// [`Verdict::Retry`](crate::Verdict::Retry), once with the least and once with the greatest
/// numbers that can be drawn. Functions in the policy are called for it. Of its guards the `deadline`
/// counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    rows: Vec<PreviewRow>,
    /// `None` where no end was found.
    attempts: Option<u32>,
    /// Whether the policy is sure to end at all.
    ends: bool,
    waits: Option<(Duration, Duration)>,
    limit: Option<Duration>,
}

/// One attempt in a [`Preview`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreviewRow {
    /// Its number, from 1.
    pub attempt: u32,
    /// The shortest delay before it; zero before the first.
    pub low: Duration,
    /// The longest delay before it. `None` where it is reached only if the delays before it
    /// were not the longest.
    pub high: Option<Duration>,
    /// When it starts at the earliest, counted from the start of the first.
    pub earliest: Duration,
    /// When it starts at the latest, `None` as for [`high`](Self::high).
    pub latest: Option<Duration>,
}

/// How many attempts are shown.
const ROWS: usize = 20;
/// How many are worked out, to find the end.
const ATTEMPTS: u32 = 10_000;

/// One way a call can go.
struct Path {
    call: Call,
    now: Instant,
    /// Why it ended, if it did.
    end: Option<StopReason>,
}

impl Path {
    /// A call in which every random number is `random`.
    fn drawing(random: f64, start: Instant, deadline: Option<Instant>) -> Self {
        let mut call = Call::new(Some(start));
        call.set_deadline(deadline);
        call.draw_from(Chance::Always(random));
        Self { call, now: start, end: None }
    }

    /// Goes on to the next attempt: the delay before it and when it starts, if it is made.
    fn next(&mut self, stop: &AnyStop<'_>, wait: &AnyWait<'_>) -> Option<(Duration, Duration)> {
        if self.end.is_some() {
            return None;
        }
        self.call.failed(Some(self.now), Verdict::Retry);
        match self.call.next(&Rules::DEFAULT, false, stop, wait) {
            Ok(_) => {
                let delay = self.call.slept();
                self.now = later(self.now, delay);
                self.call.resumed(Some(self.now));
                Some((delay, self.call.waited()))
            }
            Err(reason) => {
                self.end = Some(reason);
                None
            }
        }
    }
}

/// `delay` after `now`, or the far future: a clock ends before the longest durations do.
fn later(now: Instant, mut delay: Duration) -> Instant {
    loop {
        match now.checked_add(delay) {
            Some(later) => return later,
            None => delay /= 2,
        }
    }
}

impl<S: Stop, W: Wait, O, L: Limiting> Policy<S, W, O, L> {
    /// The schedule in numbers and as a table, for a review of the policy. Nothing is waited
    /// for.
    pub fn preview(&self) -> Preview {
        Preview::of(self)
    }
}

impl Preview {
    pub(crate) fn of<P: AsPolicy>(policy: &P) -> Self {
        let deadline = policy.limits().settings().deadline;
        let ends = <P::Stop as Stop>::Ends::ENDS || deadline.is_some();
        Self::walk(&Erased(policy.stop()), policy.wait(), deadline, ends)
    }

    /// Follows the shortest and the longest way side by side.
    fn walk(stop: &AnyStop<'_>, wait: &AnyWait<'_>, deadline: Option<Limit>, ends: bool) -> Self {
        let start = clock::runtime();
        let deadline = deadline.and_then(|limit| limit.from(start));
        let mut short = Path::drawing(0.0, start, deadline);
        let mut long = Path::drawing(1.0, start, deadline);
        let zero = Duration::ZERO;
        let (low, high, earliest, latest) = (zero, Some(zero), zero, Some(zero));
        let mut rows = vec![PreviewRow { attempt: 1, low, high, earliest, latest }];
        // The sum of the short waits when the long way ended.
        let mut least = zero;
        for attempt in 2..=ATTEMPTS {
            if long.end.is_none() {
                least = short.call.waited();
            }
            let (shorter, longer) = (short.next(stop, wait), long.next(stop, wait));
            if short.end.is_some() && long.end.is_some() {
                break;
            }
            if let Some((low, earliest)) = shorter.filter(|_| rows.len() < ROWS) {
                let high = longer.map(|step| step.0.max(low));
                let latest = longer.map(|step| step.1.max(earliest));
                rows.push(PreviewRow { attempt, low, high, earliest, latest });
            }
        }
        let limit = stop.limits(&State::new(1).with_now(start)).remaining;
        let left = deadline.map(|deadline| deadline.saturating_duration_since(start));
        let limit = tighter(limit, left);
        let both_end = short.end.is_some() && long.end.is_some();
        let [few, many] = [&long, &short].map(|path| path.call.attempts());
        let [shortest, longest] = [&short, &long].map(|path| path.call.waited());
        let waits = match limit {
            // Cut short by the time, a call might with other numbers have come as close to the
            // limit as it likes, or have ended by one long delay after short ones.
            Some(limit) if long.end == Some(StopReason::Time) && few < many => Some((least, limit)),
            _ => both_end.then(|| (shortest.min(longest), shortest.max(longest))),
        };
        Self { rows, attempts: both_end.then(|| few.max(many)), ends, waits, limit }
    }

    /// The attempts one by one, at most twenty.
    pub fn rows(&self) -> &[PreviewRow] {
        &self.rows
    }

    /// How many attempts there are at most; `None` where no end was found within ten thousand.
    pub const fn attempts(&self) -> Option<u32> {
        self.attempts
    }

    /// How long all waits together take at least and at most, if every attempt fails; `None`
    /// where no end was found. Where the time cuts calls short, it is the greatest.
    pub const fn total_wait(&self) -> Option<(Duration, Duration)> {
        self.waits
    }

    /// The limit in time, if the policy has one: the earlier of what its `stop` says and its `deadline`.
    pub const fn limit(&self) -> Option<Duration> {
        self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::policy::Policy;
    use crate::strategy::on::any_error;
    use crate::strategy::stop::{Never, attempts, elapsed, until, when, within};
    use crate::strategy::wait::{Wait, by, decorrelated, exponential, fixed, none};

    const S: Duration = Duration::from_secs(1);

    fn table(stop: impl Stop, wait: impl Wait) -> String {
        preview(stop, wait).to_string()
    }

    fn preview(stop: impl Stop, wait: impl Wait) -> Preview {
        static COUNTERS: crate::stats::counters::Counters = crate::stats::counters::Counters::new();
        static SITE: crate::stats::site::Site =
            crate::stats::site::Site::named("preview", &COUNTERS);
        Policy::at(&SITE, stop, wait, any_error()).preview()
    }

    #[test]
    fn jitter_is_shown_as_a_shaded_bar() {
        let table = table(attempts(5), exponential(S).cap(6 * S).equal_jitter());
        assert_eq!(
            table,
            "\
attempt     delay  earliest  latest
      1         –        0s      0s
      2  500ms–1s     500ms      1s  ███░░
      3     1s–2s      1.5s      3s  █████░░░░░
      4     2s–4s      3.5s      7s  ██████████░░░░░░░░░░
      5     3s–6s      6.5s     13s  ███████████████░░░░░░░░░░░░░░░
at most 5 attempts, waits of 6.5s–13s in total
"
        );
    }

    #[test]
    fn attempts_that_only_short_delays_leave_time_for_are_marked() {
        let table = table(attempts(9) | within(10 * S), exponential(S).equal_jitter());
        assert_eq!(
            table,
            "\
attempt     delay  earliest  latest
      1         –        0s      0s
      2  500ms–1s     500ms      1s  ████░░░░
      3     1s–2s      1.5s      3s  ████████░░░░░░░
      4     2s–4s      3.5s      7s  ███████████████░░░░░░░░░░░░░░░
     *5       4s–      7.5s    <10s  ██████████████████████████████
* reached only if the delays before it are short
at most 5 attempts, waits of 3.5s–10s in total, within 10s
"
        );
    }

    #[test]
    fn decorrelated_follows_its_own_previous_value_at_both_ends() {
        let preview = preview(attempts(5), decorrelated(S, 20 * S));
        let bounds: Vec<_> = preview.rows().iter().skip(1).map(|row| (row.low, row.high)).collect();
        let secs = |n| (S, Some(n * S));
        assert_eq!(bounds, [secs(3), secs(9), secs(20), secs(20)]);
        assert_eq!(preview.total_wait(), Some((4 * S, 52 * S)));
    }

    #[test]
    fn after_twenty_rows_it_says_how_it_goes_on() {
        let table = table(attempts(22), fixed(90 * S));
        assert_eq!(table.lines().count(), 1 + 20 + 2);
        assert!(table.ends_with(
            "     20  1m 30s   28m 30s  28m 30s  ██████████████████████████████\n\
             … and 2 more attempts\n\
             at most 22 attempts, waits of 31m 30s in total\n"
        ));
    }

    #[test]
    fn a_policy_without_an_end_says_so() {
        let table = table(Never, none());
        assert!(table.ends_with(
            "     20     0s        0s      0s\n\
             … and so on, for ever\n\
             attempts until one succeeds\n"
        ));
        assert_eq!(preview(Never, none()).attempts(), None);
    }

    #[test]
    fn a_bound_that_is_too_far_to_reach_is_not_called_endless() {
        let far = table(attempts(1_000_000), fixed(S));
        assert!(far.ends_with("… and more than 9980 more\nmore than 10000 attempts\n"));
        // Attempts that take no time never reach the limit.
        let busy = table(within(S), none());
        assert!(busy.ends_with("… and more than 9980 more\nmore than 10000 attempts, within 1s\n"));
    }

    #[test]
    fn a_single_attempt_needs_no_numbers() {
        assert_eq!(
            table(attempts(1), none()),
            "\
attempt  delay  earliest  latest
      1      –        0s      0s
a single attempt
"
        );
    }

    #[test]
    fn jitter_that_comes_early_is_shown_from_short_to_long() {
        let wait = fixed(4 * S).jitter_factor(0.25) + fixed(S).full_jitter();
        let preview = preview(attempts(2), wait);
        assert_eq!((preview.rows()[1].low, preview.rows()[1].high), (3 * S, Some(5 * S)));
    }

    #[test]
    fn a_time_of_day_and_functions_are_asked_as_in_a_call() {
        let until = preview(until(Instant::now() + 100 * S), fixed(40 * S));
        assert_eq!(until.attempts(), Some(3));
        let third = when(|state: &State| state.attempt() == 3);
        let growing = by(|state: &State| state.previous_delay().unwrap_or(S) * 2);
        let preview = preview(third, growing);
        let delays: Vec<_> = preview.rows().iter().map(|row| row.low).collect();
        assert_eq!(delays, [Duration::ZERO, 2 * S, 4 * S]);
    }

    #[test]
    fn the_longest_delays_of_all_do_not_overflow() {
        let preview = preview(attempts(3), exponential(Duration::MAX));
        assert_eq!(preview.total_wait(), Some((Duration::MAX, Duration::MAX)));
        assert!(preview.to_string().contains(&"█".repeat(30)));
    }

    #[test]
    fn a_delay_past_the_end_of_the_clock_is_past_every_limit() {
        let preview = preview(elapsed(3600 * S) | attempts(9), fixed(Duration::MAX));
        assert_eq!(preview.attempts(), Some(2));
    }
}
