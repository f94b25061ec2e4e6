//! What a policy will do, worked out in advance: for reviews of code, and for documentation.

use core::fmt;
use core::time::Duration;
use std::time::Instant;

use crate::engine::clock;
use crate::policy::policy::AsPolicy;
use crate::report::reason::StopReason;
use crate::strategy::state::State;
use crate::strategy::stop::{Boundedness, Stop, reason_to_stop};
use crate::strategy::wait::Wait;

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
/// numbers that can be drawn. Functions in the policy are called for it.
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
/// How wide the longest bar is.
const BAR: f64 = 30.0;

/// One way a call can go.
struct Path {
    /// The delay before an attempt and when it starts, from the second attempt on.
    steps: Vec<(Duration, Duration)>,
    attempts: u32,
    waits: Duration,
    /// Why it ended, if it did.
    end: Option<StopReason>,
}

impl Path {
    /// Follows the policy as if every random number were `random`.
    fn walk(stop: &impl Stop, wait: &impl Wait, start: Instant, random: f64) -> Self {
        let mut path = Self { steps: Vec::new(), attempts: 1, waits: Duration::ZERO, end: None };
        let mut state = State::new(1).drawing(random);
        state.last_attempt = Some(Duration::ZERO);
        while path.attempts < ATTEMPTS {
            state.set_attempt(path.attempts);
            state.set_wait(path.attempts);
            state.elapsed = path.waits;
            state.now = Some(start.checked_add(path.waits).unwrap_or(start));
            state.delay = Duration::ZERO;
            state.remaining = stop.limits(&state).remaining;
            state.delay = wait.delay(&state).total();
            path.end = reason_to_stop(stop, &state);
            if path.end.is_some() {
                break;
            }
            path.attempts += 1;
            path.waits = path.waits.saturating_add(state.delay);
            path.steps.push((state.delay, path.waits));
            state.previous_delay = Some(state.delay);
            state.previous_verdict = Some(state.verdict);
        }
        path
    }
}

impl Preview {
    pub(crate) fn of(policy: &impl AsPolicy) -> Self {
        let (stop, wait, start) = (policy.stop(), policy.wait(), clock::runtime());
        let shortest = Path::walk(stop, wait, start, 0.0);
        let longest = Path::walk(stop, wait, start, 1.0 - f64::EPSILON / 2.0);
        let limit = stop.limits(&State::new(1).with_now(start)).remaining;
        Self {
            rows: rows(&shortest, &longest),
            attempts: shortest.end.map(|_| shortest.attempts.max(longest.attempts)),
            ends: ends(stop),
            waits: waits(&shortest, &longest, limit),
            limit,
        }
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

    /// The limit in time, if the policy has one.
    pub const fn limit(&self) -> Option<Duration> {
        self.limit
    }
}

fn ends<S: Stop>(_: &S) -> bool {
    S::Ends::ENDS
}

fn rows(shortest: &Path, longest: &Path) -> Vec<PreviewRow> {
    let zero = Duration::ZERO;
    let first =
        PreviewRow { attempt: 1, low: zero, high: Some(zero), earliest: zero, latest: Some(zero) };
    let later = shortest.steps.iter().enumerate().map(|(index, &(low, earliest))| {
        let long = longest.steps.get(index);
        PreviewRow {
            attempt: u32::try_from(index).unwrap_or(u32::MAX).saturating_add(2),
            low,
            high: long.map(|long| long.0.max(low)),
            earliest,
            latest: long.map(|long| long.1.max(earliest)),
        }
    });
    core::iter::once(first).chain(later).take(ROWS).collect()
}

/// The least and the greatest sum of waits, `None` where the waits never end.
///
/// A call that the time has cut short might, with other numbers, have come as close to the limit
/// as it likes, or been cut short by one long delay after short ones.
fn waits(shortest: &Path, longest: &Path, limit: Option<Duration>) -> Option<(Duration, Duration)> {
    match (longest.end?, limit) {
        (StopReason::Time, Some(limit)) if longest.attempts < shortest.attempts => {
            let waits = usize::try_from(longest.attempts).unwrap_or(usize::MAX) - 1;
            let steps = &shortest.steps[..waits.min(shortest.steps.len())];
            let least = steps.last().map_or(Duration::ZERO, |step| step.1);
            Some((least, limit))
        }
        _ => {
            shortest.end?;
            Some((shortest.waits.min(longest.waits), shortest.waits.max(longest.waits)))
        }
    }
}

impl fmt::Display for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<_> = self.rows.iter().map(|row| self.cells(row)).collect();
        let heads = ["attempt", "delay", "earliest", "latest"].map(str::to_owned);
        let mut widths = [0; 4];
        for line in cells.iter().chain([&heads]) {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let longest = self.rows.iter().map(|row| row.high.unwrap_or(row.low)).max();
        let bars = self.rows.iter().map(|row| bar(row, longest.unwrap_or_default()));
        let lines = core::iter::once((&heads, String::new())).chain(cells.iter().zip(bars));
        for (cells, bar) in lines {
            for (index, (cell, width)) in cells.iter().zip(widths).enumerate() {
                let gap = if index == 0 { "" } else { "  " };
                write!(f, "{gap}{cell:>width$}")?;
            }
            writeln!(f, "{}{bar}", if bar.is_empty() { "" } else { "  " })?;
        }
        self.rest(f)?;
        self.sum(f)
    }
}

impl Preview {
    fn cells(&self, row: &PreviewRow) -> [String; 4] {
        let mark = if row.high.is_none() { "*" } else { "" };
        let delay = match row.high {
            _ if row.attempt == 1 => "–".to_owned(),
            Some(high) => range(row.low, high),
            None => format!("{}–", short(row.low)),
        };
        let latest = match (row.latest, self.limit) {
            (Some(latest), _) => short(latest),
            (None, Some(limit)) => format!("<{}", short(limit)),
            (None, None) => "–".to_owned(),
        };
        [format!("{mark}{}", row.attempt), delay, short(row.earliest), latest]
    }

    /// What comes after the rows that are shown.
    fn rest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        match self.attempts {
            Some(attempts) if attempts > shown => {
                let more = attempts - shown;
                writeln!(f, "… and {more} more attempt{}", if more == 1 { "" } else { "s" })?;
            }
            Some(_) => {}
            None if self.ends => writeln!(f, "… and more than {} more", ATTEMPTS - shown)?,
            None => writeln!(f, "… and so on, for ever")?,
        }
        if self.rows.iter().any(|row| row.high.is_none()) {
            writeln!(f, "* reached only if the delays before it are short")?;
        }
        Ok(())
    }

    /// The footer.
    fn sum(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.attempts {
            Some(1) => return writeln!(f, "a single attempt"),
            Some(attempts) => write!(f, "at most {attempts} attempts")?,
            None if self.ends => write!(f, "more than {ATTEMPTS} attempts")?,
            None => write!(f, "attempts until one succeeds")?,
        }
        if let Some((low, high)) = self.waits {
            write!(f, ", waits of {} in total", range(low, high))?;
        }
        if let Some(limit) = self.limit {
            write!(f, ", within {}", short(limit))?;
        }
        writeln!(f)
    }
}

/// The delay as a bar: full up to the shortest, shaded up to the longest.
fn bar(row: &PreviewRow, longest: Duration) -> String {
    let columns = |delay: Duration| {
        if delay.is_zero() {
            return 0;
        }
        let share = delay.as_secs_f64() / longest.as_secs_f64();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 1 to 30
        let columns = (share * BAR).round().max(1.0) as usize;
        columns
    };
    let low = columns(row.low);
    let high = columns(row.high.unwrap_or(row.low)).max(low);
    "█".repeat(low) + &"░".repeat(high - low)
}

fn range(low: Duration, high: Duration) -> String {
    if low == high { short(low) } else { format!("{}–{}", short(low), short(high)) }
}

/// A duration in two units at most, rounded.
fn short(duration: Duration) -> String {
    const UNITS: [(u64, &str); 3] = [(86_400, "d"), (3600, "h"), (60, "m")];
    if duration.is_zero() {
        return "0s".to_owned();
    }
    let secs = duration.as_secs();
    let Some(index) = UNITS.iter().position(|(unit, _)| secs >= *unit) else {
        return fraction(duration);
    };
    let (unit, name) = UNITS[index];
    let (part, part_name) = UNITS.get(index + 1).copied().unwrap_or((1, "s"));
    let rest = secs % unit / part;
    let whole = secs / unit;
    if rest == 0 { format!("{whole}{name}") } else { format!("{whole}{name} {rest}{part_name}") }
}

/// Less than a minute, to three digits or to what is before the point.
fn fraction(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let digits = nanos.checked_ilog10().unwrap_or(0) + 1;
    let step = 10_u128.pow(digits.saturating_sub(3));
    let rounded = (nanos + step / 2) / step * step;
    let nanos = u64::try_from(rounded).unwrap_or(u64::MAX);
    format!("{:?}", Duration::from_nanos(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::policy::Policy;
    use crate::strategy::on::any_error;
    use crate::strategy::stop::{Never, attempts, until, when, within};
    use crate::strategy::wait::{by, decorrelated, exponential, fixed, none};

    const MS: Duration = Duration::from_millis(1);
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
    fn durations_are_short() {
        let texts = [
            (Duration::ZERO, "0s"),
            (Duration::from_nanos(999), "999ns"),
            (Duration::from_nanos(1_234_567), "1.23ms"),
            (133 * MS + Duration::from_micros(333), "133ms"),
            (1500 * MS, "1.5s"),
            (59_960 * MS, "60s"),
            (90 * S, "1m 30s"),
            (3600 * S, "1h"),
            (5400 * S, "1h 30m"),
            (90_000 * S, "1d 1h"),
            (Duration::MAX, "213503982334601d 7h"),
        ];
        for (duration, text) in texts {
            assert_eq!(short(duration), text);
        }
    }
}
