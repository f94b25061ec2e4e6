//! `"250ms"` ↔ `Duration`, exactly.

use core::time::Duration;

const NANOS_PER_SEC: u128 = 1_000_000_000;

/// The units and their nanoseconds, the shortest first. `µs`, with either of the two signs that
/// look like it, is another way to write `us`.
pub const UNITS: [(&str, u128); 7] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", NANOS_PER_SEC),
    ("m", 60 * NANOS_PER_SEC),
    ("h", 3_600 * NANOS_PER_SEC),
    ("d", 86_400 * NANOS_PER_SEC),
];

/// Units as others write them.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed<'a> {
    /// It is empty.
    Empty,
    /// A number with a minus.
    Negative,
    /// It starts like a hexadecimal, octal or binary number: with this.
    NotDecimal(&'a str),
    /// Nothing stands behind the number.
    NoUnit,
    /// This stands behind the number, and is no unit.
    UnknownUnit(&'a str),
    /// Longer than a [`Duration`] can be.
    TooLong,
    /// Finer than a nanosecond.
    TooFine,
    /// It does not start with a number.
    NoNumber,
}

/// The duration that `text` stands for: a number as Rust writes one (digits, perhaps with `_`, a
/// fraction or an exponent) and, with nothing between, one of [`UNITS`].
///
/// # Errors
///
/// If it is anything else.
pub fn parse(text: &str) -> Result<Duration, Malformed<'_>> {
    if text.is_empty() {
        return Err(Malformed::Empty);
    }
    if text.strip_prefix('-').is_some_and(|rest| number_len(rest) > 0) {
        return Err(Malformed::Negative);
    }
    if let Some(prefix @ ("0x" | "0X" | "0b" | "0B" | "0o" | "0O")) = text.get(..2) {
        return Err(Malformed::NotDecimal(prefix));
    }
    let (number, unit) = text.split_at(number_len(text));
    if number.is_empty() {
        return Err(Malformed::NoNumber);
    }
    if unit.is_empty() {
        return Err(Malformed::NoUnit);
    }
    let size = size(unit).ok_or(Malformed::UnknownUnit(unit))?;
    let nanos = nanos(&number.replace('_', ""), size)?;
    let secs = u64::try_from(nanos / NANOS_PER_SEC).map_err(|_| Malformed::TooLong)?;
    Ok(Duration::new(secs, u32::try_from(nanos % NANOS_PER_SEC).unwrap_or_default()))
}

/// The unit in nanoseconds.
fn size(unit: &str) -> Option<u128> {
    let unit = if matches!(unit, "µs" | "μs") { "us" } else { unit };
    UNITS.iter().find(|(name, _)| *name == unit).map(|(_, size)| *size)
}

/// How many bytes at the start of `text` are a number as Rust writes one.
pub fn number_len(text: &str) -> usize {
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
fn nanos(digits: &str, unit: u128) -> Result<u128, Malformed<'static>> {
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            (mantissa, exponent.parse::<i32>().map_err(|_| Malformed::TooLong)?)
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
    let value = all.parse::<u128>().map_err(|_| Malformed::TooLong)?;
    let value = value.checked_mul(unit).ok_or(Malformed::TooLong)?;
    let places = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
    let exponent = exponent.saturating_sub(places);
    let power = 10_u128.checked_pow(exponent.unsigned_abs());
    match (exponent < 0, power) {
        (false, Some(power)) => value.checked_mul(power).ok_or(Malformed::TooLong),
        (false, None) => Err(Malformed::TooLong),
        (true, Some(power)) if value % power == 0 => Ok(value / power),
        (true, _) => Err(Malformed::TooFine),
    }
}

/// The unit that was meant by one that is none: `s` by `sec`.
pub fn unit_meant(unit: &str) -> Option<&'static str> {
    MEANT.iter().find(|(_, others)| others.contains(&unit)).map(|(unit, _)| *unit)
}

/// The duration that a text written in another way must mean, as it is written here: `5s` for
/// `5 sec`, `0.5s` for `.5s`, `90s` for `1m30s`.
pub fn meant(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.strip_prefix('+').unwrap_or(&text).replace(',', ".");
    let text = if text.starts_with('.') { format!("0{text}") } else { text };
    let (mut rest, mut parts, mut sum) = (text.as_str(), Vec::new(), Duration::ZERO);
    while !rest.is_empty() {
        let (number, after) = rest.split_at(number_len(rest));
        let len = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(len);
        let part = format!("{number}{}", unit_meant(unit).unwrap_or(unit));
        sum = sum.checked_add(parse(&part).ok()?)?;
        parts.push(part);
        rest = after;
    }
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(write(sum)),
    }
}

/// The duration in the largest unit that needs no fraction; one that is longer than a second and
/// not whole has a fraction of seconds. [`parse`] reads it back.
pub fn write(duration: Duration) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_reads_exactly() {
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
            ("1.000000000s", secs(1)),
            ("0s", Duration::ZERO),
            ("0.0h", Duration::ZERO),
            ("18446744073709551615s", secs(u64::MAX)),
        ] {
            assert_eq!(parse(text), Ok(duration), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_duration_is_told_why() {
        use Malformed::*;
        for (text, why) in [
            ("", Empty),
            ("-5s", Negative),
            ("-0.5ms", Negative),
            ("-s", NoNumber),
            ("0x10s", NotDecimal("0x")),
            ("0B1s", NotDecimal("0B")),
            ("5", NoUnit),
            ("1.5", NoUnit),
            ("1e3", NoUnit),
            ("5sec", UnknownUnit("sec")),
            ("5S", UnknownUnit("S")),
            ("1min", UnknownUnit("min")),
            ("5 s", UnknownUnit(" s")),
            ("1m30s", UnknownUnit("m30s")),
            ("5parsecs", UnknownUnit("parsecs")),
            ("1.s", UnknownUnit(".s")),
            ("18446744073709551616s", TooLong),
            ("213503982334602d", TooLong),
            ("999999999999999999999999999999999999999999s", TooLong),
            ("1e99s", TooLong),
            ("1e99999999999s", TooLong),
            ("0.5ns", TooFine),
            ("1.0000000001s", TooFine),
            ("1e-40s", TooFine),
            (".5s", NoNumber),
            ("_5s", NoNumber),
            ("soon", NoNumber),
        ] {
            assert_eq!(parse(text), Err(why), "{text}");
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
            assert_eq!(write(duration), written);
            assert_eq!(parse(written), Ok(duration), "{written}");
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
            assert_eq!(meant(text).as_deref(), right, "{text}");
        }
    }

    #[test]
    fn the_units_of_others_are_none_of_ours() {
        for (unit, others) in MEANT {
            assert!(size(unit).is_some(), "{unit}");
            for other in others {
                assert_eq!(size(other), None, "{other}");
                assert_eq!(unit_meant(other), Some(unit));
            }
        }
    }
}
