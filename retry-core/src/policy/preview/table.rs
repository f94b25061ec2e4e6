//! A preview as a table.

use core::fmt;
use core::time::Duration;

use super::{ATTEMPTS, Preview, PreviewRow};

/// How wide the longest bar is.
const BAR: f64 = 30.0;

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

    const MS: Duration = Duration::from_millis(1);
    const S: Duration = Duration::from_secs(1);

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
