//! The numbers of all sites as a table.

use core::fmt::{self, Write};

use crate::stats::sites::{SiteStats, Sites};

const HEADINGS: [&str; COLUMNS] = [
    "name",
    "calls",
    "first try",
    "recovered",
    "permanent",
    "gave up",
    "cancelled",
    "running",
    "attempts",
    "retries/success",
    "waited",
];
const COLUMNS: usize = 11;

/// The columns that are left out where all of them are zero.
const RARE: [usize; 2] = [4, 7];

/// The longest name in the table, in characters. A terminal of 150 columns holds the rest too.
const LONGEST_NAME: usize = 48;

impl fmt::Display for Sites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("no retried function has run yet");
        }
        let rows: Vec<_> = core::iter::once(HEADINGS.map(str::to_owned))
            .chain(self.iter().map(SiteStats::cells))
            .collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: [_; COLUMNS] = core::array::from_fn(|column| width(column).unwrap_or(0));
        let is_shown = |column: usize| {
            !RARE.contains(&column) || rows[1..].iter().any(|row| row[column] != "0")
        };
        for (line, row) in rows.iter().enumerate() {
            if line > 0 {
                f.write_char('\n')?;
            }
            let cells = row.iter().zip(widths).enumerate().filter(|(column, _)| is_shown(*column));
            for (column, (cell, width)) in cells {
                // Text starts on the left, numbers end on the right.
                match column {
                    0 => write!(f, "{cell:<width$}")?,
                    _ => write!(f, "  {cell:>width$}")?,
                }
            }
        }
        Ok(())
    }
}

impl SiteStats {
    /// The row of the table.
    fn cells(&self) -> [String; COLUMNS] {
        let gave_up = match self.most_given_up_for() {
            None => "0".to_owned(),
            Some((reason, count)) if count == self.given_up() => format!("{count} ({reason})"),
            Some((reason, count)) => format!("{} ({count} {reason})", self.given_up()),
        };
        let ratio = match self.retries_per_success() {
            _ if self.is_endless() => "endless".to_owned(),
            _ if self.is_open() => "running".to_owned(),
            ratio if ratio.is_finite() => format!("{ratio:.3}"),
            _ => "no success".to_owned(),
        };
        [
            shortened(self.name()),
            self.calls().to_string(),
            self.first_try().to_string(),
            self.recovered().to_string(),
            self.permanent().to_string(),
            gave_up,
            self.cancelled().to_string(),
            self.running().to_string(),
            self.attempts().to_string(),
            ratio,
            format!("{:.3}s", self.waited().as_secs_f64()),
        ]
    }
}

/// A long name without its beginning, since the function itself stands at the end.
fn shortened(name: &str) -> String {
    match name.chars().count().checked_sub(LONGEST_NAME) {
        None | Some(0) => name.to_owned(),
        // One more, for the sign that stands in their place.
        Some(over) => core::iter::once('…').chain(name.chars().skip(over + 1)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shortened_only_where_it_is_too_long() {
        let fits = "ä".repeat(LONGEST_NAME);
        assert_eq!(shortened(&fits), fits);
        let over = format!("{fits}é");
        let expected = format!("…{}é", "ä".repeat(LONGEST_NAME - 2));
        assert_eq!(shortened(&over), expected);
    }
}
