//! Bars for the terminal.

use std::fmt::Write;

use super::scenario::Run;
use super::server::{DOWN_FROM, SLOT, UP_FROM, WATCHED, crashes};

const COLUMNS: usize = 60;
/// Each is a power of ten, so that 50 requests can be seen beside 10,000.
const ROWS: u32 = 4;
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The bars of one run, the most requests of each column, with the scale at their left.
pub(crate) fn of(run: &Run) -> String {
    let slots = run.requests.len().div_ceil(COLUMNS);
    let columns: Vec<_> = run
        .requests
        .chunks(slots)
        .map(|slots| slots.iter().copied().max().unwrap_or_default())
        .collect();
    let mut text = format!("{:>8} {}\n", "", run.name);
    for row in (0..ROWS).rev() {
        let bars: String = columns.iter().map(|&requests| bar(requests, row)).collect();
        let _ = writeln!(text, "{:>7} ┤{}", 10_u32.pow(row + 1), bars.trim_end());
    }
    let _ = writeln!(text, "{:>7} └{}", "0", axis());
    text
}

/// What the bar of so many requests fills of a row.
fn bar(requests: u32, row: u32) -> char {
    let height = f64::from(requests).max(1.0).log10() - f64::from(row);
    // One request is to be seen too.
    let least = if requests > 0 && row == 0 { 1.0 } else { 0.0 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 8
    let eighths = (height * 8.0).round().clamp(least, 8.0) as usize;
    BARS[eighths]
}

/// The time, with the crashes.
fn axis() -> String {
    let mut axis: Vec<_> = "─".repeat(COLUMNS).chars().collect();
    for crash in crashes() {
        let column = crash.as_millis() * COLUMNS as u128 / WATCHED.as_millis();
        if let Some(place) = usize::try_from(column).ok().and_then(|column| axis.get_mut(column)) {
            *place = '×';
        }
    }
    axis.into_iter().collect::<String>() + &format!(" {} s", WATCHED.as_secs())
}

/// What the runs come to.
pub(crate) fn totals(runs: &[Run]) -> String {
    let outage = UP_FROM.saturating_sub(DOWN_FROM).as_secs();
    let mut text = format!(
        "{:<22}{:>16}{:>10}{:>16}{:>14}\n",
        format!("in {outage} s of outage"),
        "requests",
        "a call",
        format!("most in {SLOT:?}"),
        "calls failed"
    );
    for run in runs {
        let (sent, peak, failed) = (run.sent(), run.peak(), run.failed);
        let each = f64::from(sent) / f64::from(run.calls);
        let _ = writeln!(text, "{:<22}{sent:>16}{each:>10.2}{peak:>16}{failed:>14}", run.name);
    }
    text
}
