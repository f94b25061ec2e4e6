//! `"250ms"` ↔ `Duration`. The grammar is that of the attribute's literals, and `µs` besides.

use core::time::Duration;

use super::key::list;

const UNITS: [(&str, u128); 7] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", NANOS_PER_SEC),
    ("m", 60 * NANOS_PER_SEC),
    ("h", 3_600 * NANOS_PER_SEC),
    ("d", 86_400 * NANOS_PER_SEC),
];

const NANOS_PER_SEC: u128 = 1_000_000_000;

/// Units as others write them. Both signs for micro are in use, and they look the same.
const MEANT: [(&str, &[&str]); 7] = [
    ("ns", &["nano", "nanos", "nsec", "nsecs", "nanosecond", "nanoseconds", "NS"]),
    ("us", &["micro", "micros", "usec", "usecs", "microsecond", "microseconds", "US"]),
    ("ms", &["millis", "msec", "msecs", "milli", "millisecond", "milliseconds", "Ms", "MS"]),
    ("s", &["sec", "secs", "second", "seconds", "S"]),
    ("m", &["min", "mins", "minute", "minutes", "M"]),
    ("h", &["hr", "hrs", "hour", "hours", "H"]),
    ("d", &["day", "days", "D"]),
];

/// Why a text is not a duration.
pub(super) enum Problem {
    Empty,
    Negative,
    /// It starts like a hexadecimal, octal or binary number.
    NotDecimal(String),
    NoUnit,
    UnknownUnit(String),
    TooLong,
    TooFine,
    NoNumber,
}

pub(super) fn parse(text: &str) -> Result<Duration, Problem> {
    if text.is_empty() {
        return Err(Problem::Empty);
    }
    if text.strip_prefix('-').is_some_and(|rest| number_len(rest) > 0) {
        return Err(Problem::Negative);
    }
    if let Some(prefix @ ("0x" | "0X" | "0b" | "0B" | "0o" | "0O")) = text.get(..2) {
        return Err(Problem::NotDecimal(prefix.to_owned()));
    }
    let (number, unit) = text.split_at(number_len(text));
    if number.is_empty() {
        return Err(Problem::NoNumber);
    }
    if unit.is_empty() {
        return Err(Problem::NoUnit);
    }
    let Some(size) = size(unit) else { return Err(Problem::UnknownUnit(unit.to_owned())) };
    let nanos = nanos(&number.replace('_', ""), size)?;
    let secs = u64::try_from(nanos / NANOS_PER_SEC).map_err(|_| Problem::TooLong)?;
    Ok(Duration::new(secs, u32::try_from(nanos % NANOS_PER_SEC).unwrap_or_default()))
}

/// The unit in nanoseconds.
fn size(unit: &str) -> Option<u128> {
    let unit = if matches!(unit, "µs" | "μs") { "us" } else { unit };
    UNITS.iter().find(|(name, _)| *name == unit).map(|(_, size)| *size)
}

/// How many bytes at the start are a number as Rust writes one.
pub(super) fn number_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let after_digits = |from: usize| {
        let rest = bytes.iter().skip(from);
        from + rest.take_while(|byte| byte.is_ascii_digit() || **byte == b'_').count()
    };
    if !is_digit(0) {
        return 0;
    }
    let mut end = after_digits(0);
    if bytes.get(end) == Some(&b'.') && is_digit(end + 1) {
        end = after_digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if is_digit(end + 1 + sign) {
            end = after_digits(end + 1 + sign);
        }
    }
    end
}

/// `digits` (decimal, perhaps with a fraction and an exponent) times `unit`, exactly.
fn nanos(digits: &str, unit: u128) -> Result<u128, Problem> {
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            (mantissa, exponent.parse::<i32>().map_err(|_| Problem::TooLong)?)
        }
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let all = format!("{whole}{fraction}");
    let all = all.trim_start_matches('0');
    if all.is_empty() {
        return Ok(0);
    }
    let value = all.parse::<u128>().map_err(|_| Problem::TooLong)?;
    let value = value.checked_mul(unit).ok_or(Problem::TooLong)?;
    let places = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
    let exponent = exponent.saturating_sub(places);
    let power = 10_u128.checked_pow(exponent.unsigned_abs());
    match (exponent < 0, power) {
        (false, Some(power)) => value.checked_mul(power).ok_or(Problem::TooLong),
        (false, None) => Err(Problem::TooLong),
        (true, Some(power)) if value % power == 0 => Ok(value / power),
        (true, _) => Err(Problem::TooFine),
    }
}

/// The duration in the largest unit that needs no fraction; one that is longer than a second and
/// not whole has a fraction of seconds.
pub(super) fn text(duration: Duration) -> String {
    if duration.subsec_nanos() != 0 {
        // `Debug` is exact.
        return format!("{duration:?}").replace('µ', "u");
    }
    let secs = duration.as_secs();
    let (unit, size) = match secs {
        0 => ("s", 1),
        secs if secs % 86_400 == 0 => ("d", 86_400),
        secs if secs % 3_600 == 0 => ("h", 3_600),
        secs if secs % 60 == 0 => ("m", 60),
        _ => ("s", 1),
    };
    format!("{}{unit}", secs / size)
}

/// What is wrong with the duration `text`, which was written as `written`; `write` shows how
/// another is written there, and `example` is one.
pub(super) fn explain(
    problem: &Problem,
    text: &str,
    written: &str,
    example: &str,
    write: impl Fn(&str) -> String,
) -> String {
    match problem {
        Problem::Empty => format!("{written} is empty; write {example}, or remove it"),
        Problem::Negative => {
            format!("{written} is negative, which a duration cannot be; write {example}")
        }
        Problem::NotDecimal(prefix) => format!(
            "a duration is written in decimal, without the `{prefix}` of {written}; write {example}"
        ),
        Problem::NoUnit => format!(
            "{written} has no unit: write {}, {}, …",
            write(&format!("{text}s")),
            write(&format!("{text}ms"))
        ),
        Problem::TooLong => {
            format!("{written} is longer than a duration can be; write {example}")
        }
        Problem::TooFine => format!("{written} is finer than a nanosecond; write {example}"),
        Problem::UnknownUnit(unit) => {
            let meant = meant(text).map(|meant| write(&meant));
            match meant {
                Some(meant) if unit.contains(|c: char| c.is_ascii_digit()) => {
                    format!("{written} has more than one unit; write {meant}")
                }
                Some(meant) if !unit.chars().all(char::is_alphabetic) => {
                    format!("{written} is not written as a duration; write {meant}")
                }
                meant => {
                    let meant = meant.map_or(String::new(), |meant| format!("write {meant}; "));
                    let units = list(UNITS.map(|(name, _)| name));
                    format!("unknown unit `{unit}` in {written}; {meant}the units are {units}")
                }
            }
        }
        Problem::NoNumber => {
            let meant = meant(text).map_or(example.to_owned(), |meant| write(&meant));
            format!("{written} is not a duration; write {meant}")
        }
    }
}

/// The duration that a text written in another way must mean: `5 sec`, `.5s`, `1m30s`.
fn meant(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.strip_prefix('+').unwrap_or(&text).replace(',', ".");
    let text = if text.starts_with('.') { format!("0{text}") } else { text };
    let (mut rest, mut parts, mut sum) = (text.as_str(), Vec::new(), Duration::ZERO);
    while !rest.is_empty() {
        let (number, after) = rest.split_at(number_len(rest));
        let len = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(len);
        let known = MEANT.iter().find(|(_, others)| others.contains(&unit));
        let part = format!("{number}{}", known.map_or(unit, |(unit, _)| unit));
        sum = sum.checked_add(parse(&part).ok()?)?;
        parts.push(part);
        rest = after;
    }
    match parts.len() {
        1 => parts.pop(),
        _ => Some(self::text(sum)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_duration_that_the_attribute_reads_is_read_the_same() {
        let secs = Duration::from_secs;
        for (text, duration) in [
            ("100ns", Duration::from_nanos(100)),
            ("10us", Duration::from_micros(10)),
            ("10µs", Duration::from_micros(10)),
            ("10μs", Duration::from_micros(10)),
            ("1_000ms", secs(1)),
            ("10_ms", Duration::from_millis(10)),
            ("30s", secs(30)),
            ("5m", secs(300)),
            ("2h", secs(7200)),
            ("1d", secs(86_400)),
            ("1.5s", Duration::from_millis(1500)),
            ("0.1s", Duration::from_millis(100)),
            ("2.50m", secs(150)),
            ("1e3s", secs(1000)),
            ("1.5e-3s", Duration::from_micros(1500)),
            ("0s", Duration::ZERO),
            ("0.0h", Duration::ZERO),
            ("18446744073709551615s", secs(u64::MAX)),
        ] {
            assert_eq!(parse(text).ok(), Some(duration), "{text}");
        }
    }

    #[test]
    fn a_duration_written_out_is_read_back() {
        for (duration, written) in [
            (Duration::ZERO, "0s"),
            (Duration::from_nanos(7), "7ns"),
            (Duration::from_nanos(2_500), "2.5us"),
            (Duration::from_millis(250), "250ms"),
            (Duration::from_millis(1500), "1.5s"),
            (Duration::from_secs(90), "90s"),
            (Duration::from_secs(120), "2m"),
            (Duration::from_secs(7_200), "2h"),
            (Duration::from_secs(172_800), "2d"),
            (Duration::MAX, "18446744073709551615.999999999s"),
        ] {
            assert_eq!(text(duration), written);
            assert_eq!(parse(written).ok(), Some(duration), "{written}");
        }
    }

    #[test]
    fn another_way_to_write_a_duration_is_understood() {
        for (text, right) in [
            ("5sec", Some("5s")),
            ("5 s", Some("5s")),
            ("+5s", Some("5s")),
            (".5s", Some("0.5s")),
            ("0,5s", Some("0.5s")),
            ("1m30s", Some("90s")),
            ("1 hour 30 min", Some("90m")),
            ("5parsecs", None),
            ("PT30S", None),
            ("soon", None),
            ("", None),
        ] {
            let meant = if text.is_empty() { None } else { meant(text) };
            assert_eq!(meant.as_deref(), right, "{text}");
        }
    }
}
