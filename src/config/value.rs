//! What a key's value means, and what is wrong with it taken alone.

use core::time::Duration;

use retry_core::MaxHint;
use retry_core::text::{self, Malformed};

use super::key::{ENDLESS, Key};
use super::source::{CLAMP, ENDLESS_LINK, Raw, Source};

/// A value of the type that its key takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Count(u32),
    Span(Duration),
    Number(f64),
    Jitter(Jitter),
    Hint(MaxHint),
}

/// How delays are spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Jitter {
    None,
    Full,
    Equal,
    Factor(f64),
    Additive(Duration),
}

impl Value {
    /// As it is written.
    pub(super) fn raw(self) -> Raw {
        match self {
            Self::Count(count) => Raw::bare(count.to_string()),
            Self::Number(number) => Raw::float(number),
            Self::Hint(MaxHint::Clamp(most)) => {
                Raw::quoted(format!("{CLAMP}{}", text::write(most)))
            }
            // That it is limited by the remaining time is what holds without the key.
            Self::Hint(MaxHint::GiveUpAbove(most)) => Raw::quoted(text::write(most)),
            Self::Hint(_) => Raw::quoted(text::write(Duration::MAX)),
            Self::Span(span) | Self::Jitter(Jitter::Additive(span)) => {
                Raw::quoted(text::write(span))
            }
            Self::Jitter(Jitter::None) => Raw::quoted("none"),
            Self::Jitter(Jitter::Full) => Raw::quoted("full"),
            Self::Jitter(Jitter::Equal) => Raw::quoted("equal"),
            Self::Jitter(Jitter::Factor(factor)) => Raw::quoted(format!("factor:{factor}")),
        }
    }
}

/// What can be written for a jitter.
const JITTERS: &str =
    "it is one of `none`, `full`, `equal` and `factor:0.5`, or a duration such as `250ms`";

/// A setting as it was written.
pub(super) struct Setting<'a> {
    pub(super) source: &'a Source,
    pub(super) key: Key,
    pub(super) raw: &'a Raw,
    /// All of it, as in the source.
    pub(super) written: &'a str,
}

impl Setting<'_> {
    /// The value, of a type that fits the key.
    pub(super) fn read(&self) -> Result<Value, String> {
        match self.key {
            _ if self.raw.text.is_empty() => Err(self.explain(Malformed::Empty)),
            Key::Attempts => self.count().map(Value::Count),
            Key::Factor => self.number().map(Value::Number),
            Key::Jitter => self.jitter().map(Value::Jitter),
            Key::MaxHint => self.hint().map(Value::Hint),
            Key::WarnAfter | Key::WarnEvery => self.threshold(),
            _ => self.span().map(Value::Span),
        }
    }

    /// The value, if it is one that the key can have.
    pub(super) fn check(&self, value: Value) -> Result<Value, String> {
        let Self { source, key, written, .. } = self;
        Err(match value {
            Value::Count(0) | Value::Span(Duration::ZERO) if *key == Key::WarnEvery => {
                format!("{written} makes every retry a warning, as it is without; remove it")
            }
            Value::Count(0) if *key == Key::Attempts => format!(
                "{written} would never call the function; `attempts` counts all calls, the first \
                 included"
            ),
            Value::Span(Duration::ZERO) if *key == Key::Within => {
                let once = source.write(Key::Attempts, "1");
                format!("{written} never retries; write {once} if that is meant")
            }
            Value::Span(Duration::ZERO) if matches!(key, Key::Deadline | Key::AttemptTimeout) => {
                format!("{written} leaves no time for an attempt; write {}", source.example(*key))
            }
            Value::Span(Duration::ZERO) if *key == Key::Exponential => {
                let fixed = source.write(Key::Fixed, "0s");
                format!("{written} never waits; write {fixed} if that is meant")
            }
            Value::Number(factor) if !factor.is_finite() => {
                format!("{written} is not a finite number; write {}", source.example(*key))
            }
            Value::Number(factor) if factor < 1.0 => {
                format!("{written} would make the waits shorter and shorter; it must be at least 1")
            }
            Value::Jitter(Jitter::Factor(factor)) if !(0.0..=1.0).contains(&factor) => {
                format!("{written} is outside 0..=1; with 0.2 a wait comes up to 20 % early")
            }
            _ => return Ok(value),
        })
    }

    fn example(&self) -> String {
        self.source.example(self.key)
    }

    fn count(&self) -> Result<u32, String> {
        let (written, example) = (self.written, self.example());
        let digits = self.raw.text.replace('_', "");
        digits.parse().map_err(|_| match digits.parse::<f64>() {
            Ok(n) if n < 0.0 => {
                format!("{written} is negative, which a number of calls cannot be; write {example}")
            }
            Ok(n) if n > f64::from(u32::MAX) => {
                format!("{written} is more than can be counted; the most is {}", u32::MAX)
            }
            Ok(_) => format!("{written} is not a whole number of calls; write {example}"),
            Err(_) if ENDLESS.contains(&digits.to_lowercase().as_str()) => {
                format!("{written} is not a number of calls; write {example}; {ENDLESS_LINK}")
            }
            Err(_) if text::parse(&self.raw.text).is_ok() => format!(
                "{written} is a time, and `attempts` takes a number of calls; a time limit is \
                 written {}",
                self.source.assign(Key::Within, self.raw)
            ),
            Err(_) => format!("{written} is not a number of calls; write {example}"),
        })
    }

    fn hint(&self) -> Result<MaxHint, String> {
        match self.raw.text.strip_prefix(CLAMP) {
            None => self.span().map(MaxHint::GiveUpAbove),
            Some(most) => text::parse(most).map(MaxHint::Clamp).map_err(|_| {
                let right = self.source.write(self.key, &format!("{CLAMP}30s"));
                format!("{} needs a duration behind the colon; write {right}", self.written)
            }),
        }
    }

    /// So many failures, or so much time.
    fn threshold(&self) -> Result<Value, String> {
        let digits = self.raw.text.replace('_', "");
        digits.parse().map(Value::Count).or_else(|_| self.span().map(Value::Span)).map_err(|fault| {
            let (written, key) = (self.written, self.key);
            let (count, time) = (self.source.assign(key, &Raw::bare("3")), self.source.write(key, "30s"));
            match digits.parse::<f64>() {
                Ok(_) => format!("{written} is not a whole number of failures; write {count}, or a time: {time}"),
                Err(_) => fault,
            }
        })
    }

    fn number(&self) -> Result<f64, String> {
        let number = self.raw.text.replace('_', "").parse();
        number.map_err(|_| format!("{} is not a number; write {}", self.written, self.example()))
    }

    fn span(&self) -> Result<Duration, String> {
        text::parse(&self.raw.text).map_err(|why| self.explain(why))
    }

    fn jitter(&self) -> Result<Jitter, String> {
        let (written, text) = (self.written, self.raw.text.as_str());
        let write = |text: &str| self.source.write(self.key, text);
        match text {
            "none" => return Ok(Jitter::None),
            "full" => return Ok(Jitter::Full),
            "equal" => return Ok(Jitter::Equal),
            _ => {}
        }
        if let Some(factor) = text.strip_prefix("factor:") {
            return factor.parse().map(Jitter::Factor).map_err(|_| {
                let right = write("factor:0.5");
                format!("{written} needs a number from 0 to 1 behind the colon; write {right}")
            });
        }
        if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
            let part = text.parse().is_ok_and(|number: f64| (0.0..=1.0).contains(&number));
            return self.span().map(Jitter::Additive).map_err(|fault| {
                if !part {
                    return fault;
                }
                let (span, part) = (write(&format!("{text}s")), write(&format!("factor:{text}")));
                format!("{written} has no unit: write {span}, or for a part of the delay {part}")
            });
        }
        let wanted = match text {
            "true" => Some("full"),
            "false" => Some("none"),
            _ => None,
        };
        let similar = || text::similar(&text.to_lowercase(), ["none", "full", "equal"]);
        Err(if let Some(wanted) = wanted {
            format!("{written} does not name a jitter; write {}", write(wanted))
        } else if let Some(similar) = similar() {
            format!("{written} is not a jitter; did you mean {}?", write(similar))
        } else {
            format!("{written} is not a jitter; {JITTERS}")
        })
    }

    /// Why it is no duration.
    fn explain(&self, why: Malformed<'_>) -> String {
        let (text, written, example) = (&self.raw.text, self.written, self.example());
        let write = |text: &str| self.source.write(self.key, text);
        let meant = || text::meant(text).map(|meant| write(&meant));
        match why {
            Malformed::Empty => format!("{written} is empty; write {example}, or remove it"),
            Malformed::Negative => {
                format!("{written} is negative, which a duration cannot be; write {example}")
            }
            Malformed::NotDecimal(prefix) => format!(
                "a duration is written in decimal, without the `{prefix}` of {written}; write \
                 {example}"
            ),
            Malformed::NoUnit => {
                let (s, ms) = (write(&format!("{text}s")), write(&format!("{text}ms")));
                format!("{written} has no unit: write {s}, {ms}, …")
            }
            Malformed::TooLong => {
                format!("{written} is longer than a duration can be; write {example}")
            }
            Malformed::TooFine => format!("{written} is finer than a nanosecond; write {example}"),
            Malformed::NoNumber => {
                format!("{written} is not a duration; write {}", meant().unwrap_or(example))
            }
            Malformed::UnknownUnit(unit) => match meant() {
                Some(meant) if unit.contains(|c: char| c.is_ascii_digit()) => {
                    format!("{written} has more than one unit; write {meant}")
                }
                Some(meant) if !unit.chars().all(char::is_alphabetic) => {
                    format!("{written} is not written as a duration; write {meant}")
                }
                meant => {
                    let meant = meant.map_or(String::new(), |meant| format!("write {meant}; "));
                    let units = text::list(text::UNITS.map(|(name, _)| name));
                    format!("unknown unit `{unit}` in {written}; {meant}the units are {units}")
                }
            },
        }
    }
}
