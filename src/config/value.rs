//! What a key's value means, and what is wrong with it taken alone.

use core::time::Duration;

use super::duration::{self, Problem};
use super::key::{Key, similar};
use super::raw::Raw;
use super::source::Source;

/// A valid value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Count(u32),
    Span(Duration),
    Number(f64),
    Jitter(Jitter),
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

impl Jitter {
    /// As it is written, `None` if it need not be.
    pub(super) fn text(self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Full => Some("full".to_owned()),
            Self::Equal => Some("equal".to_owned()),
            Self::Factor(factor) => Some(format!("factor:{factor}")),
            Self::Additive(width) => Some(duration::text(width)),
        }
    }
}

/// What can be written for a jitter.
const JITTERS: &str =
    "it is one of `none`, `full`, `equal` and `factor:0.5`, or a duration such as `250ms`";

/// The value of `key`, or what is wrong with it.
pub(super) fn read(key: Key, raw: &Raw, source: &Source) -> Result<Value, String> {
    let read = Read { key, raw, source, written: source.assign(key, raw) };
    if matches!(raw, Raw::Str(text) if text.is_empty()) {
        return Err(read.explain(&Problem::Empty, ""));
    }
    match key {
        Key::Attempts => read.count().map(Value::Count),
        Key::Factor => read.factor().map(Value::Number),
        Key::Jitter => read.jitter().map(Value::Jitter),
        Key::Within
        | Key::Fixed
        | Key::Linear
        | Key::Step
        | Key::Exponential
        | Key::Cap
        | Key::Floor => read.span().map(Value::Span),
    }
}

struct Read<'a> {
    key: Key,
    raw: &'a Raw,
    source: &'a Source,
    written: String,
}

impl Read<'_> {
    fn explain(&self, problem: &Problem, text: &str) -> String {
        let example = self.source.example(self.key);
        duration::explain(problem, text, &self.written, &example, |text| {
            self.source.assign_text(self.key, text)
        })
    }

    fn count(&self) -> Result<u32, String> {
        let Self { written, source, .. } = self;
        let example = source.example(self.key);
        let counted = match self.raw {
            Raw::Int(n) => Some(*n),
            Raw::Str(text) => text.replace('_', "").parse().ok(),
            _ => None,
        };
        match (counted, self.raw) {
            (Some(0), _) => Err(format!(
                "{written} would never call the function; `attempts` counts all calls, the first \
                 included"
            )),
            (Some(n), _) => u32::try_from(n).map_err(|_| {
                if n < 0 {
                    format!(
                        "{written} is negative, which a number of calls cannot be; write {example}"
                    )
                } else {
                    format!("{written} is more than can be counted; the most is {}", u32::MAX)
                }
            }),
            (None, Raw::Str(text)) if duration::parse(text).is_ok() => Err(format!(
                "{written} is a time, and `attempts` takes a number of calls; a time limit is \
                 written {}",
                source.assign(Key::Within, self.raw)
            )),
            (None, Raw::Float(_)) => {
                Err(format!("{written} is not a whole number of calls; write {example}"))
            }
            (None, _) => Err(format!("{written} is not a number of calls; write {example}")),
        }
    }

    fn factor(&self) -> Result<f64, String> {
        let Self { written, source, .. } = self;
        let example = source.example(self.key);
        match self.number() {
            None => Err(format!("{written} is not a number; write {example}")),
            Some(factor) if !factor.is_finite() => {
                Err(format!("{written} is not a finite number; write {example}"))
            }
            Some(factor) if factor < 1.0 => Err(format!(
                "{written} would make the waits shorter and shorter; it must be at least 1"
            )),
            Some(factor) => Ok(factor),
        }
    }

    /// The value as a plain number.
    fn number(&self) -> Option<f64> {
        match self.raw {
            #[allow(clippy::cast_precision_loss)] // a factor that large is as good as its neighbour
            Raw::Int(n) => Some(*n as f64),
            Raw::Float(n) => Some(*n),
            Raw::Str(text) => text.replace('_', "").parse().ok(),
            Raw::Bool(_) | Raw::List | Raw::Table => None,
        }
    }

    fn span(&self) -> Result<Duration, String> {
        let Self { written, source, .. } = self;
        let text = match self.raw {
            Raw::Str(_) | Raw::Int(_) => self.raw.bare(),
            Raw::Float(n) if n.is_finite() => self.raw.bare(),
            _ => {
                let example = source.example(self.key);
                return Err(format!("{written} is not a duration; write {example}"));
            }
        };
        let span = duration::parse(&text).map_err(|problem| self.explain(&problem, &text))?;
        match self.key {
            Key::Within if span.is_zero() => {
                let once = source.assign(Key::Attempts, &Raw::Int(1));
                Err(format!("{written} never retries; write {once} if that is meant"))
            }
            Key::Exponential if span.is_zero() => Err(format!(
                "{written} never waits; write {} if that is meant",
                source.assign_text(Key::Fixed, "0s")
            )),
            _ => Ok(span),
        }
    }

    fn jitter(&self) -> Result<Jitter, String> {
        let Self { written, source, .. } = self;
        let write = |text: &str| source.assign_text(self.key, text);
        if let Some(number) = self.number() {
            let text = self.raw.bare();
            return Err(if (0.0..=1.0).contains(&number) {
                format!(
                    "{written} has no unit: write {}, or for a part of the delay {}",
                    write(&format!("{text}s")),
                    write(&format!("factor:{text}"))
                )
            } else {
                match duration::parse(&text) {
                    Err(problem) => self.explain(&problem, &text),
                    Ok(_) => format!("{written} is not a jitter; {JITTERS}"),
                }
            });
        }
        let text = match self.raw {
            Raw::Str(text) => text,
            Raw::Bool(wanted) => {
                let right = write(if *wanted { "full" } else { "none" });
                return Err(format!("{written} does not name a jitter; write {right}"));
            }
            _ => return Err(format!("{written} is not a jitter; {JITTERS}")),
        };
        if let Some(factor) = text.strip_prefix("factor:") {
            return match factor.parse::<f64>() {
                Err(_) => Err(format!(
                    "{written} needs a number from 0 to 1 behind the colon; write {}",
                    write("factor:0.5")
                )),
                Ok(factor) if !(0.0..=1.0).contains(&factor) => Err(format!(
                    "{written} is outside 0..=1; with 0.2 a wait comes up to 20 % early"
                )),
                Ok(factor) => Ok(Jitter::Factor(factor)),
            };
        }
        match text.as_str() {
            "none" => Ok(Jitter::None),
            "full" => Ok(Jitter::Full),
            "equal" => Ok(Jitter::Equal),
            _ if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
                duration::parse(text)
                    .map(Jitter::Additive)
                    .map_err(|problem| self.explain(&problem, text))
            }
            _ => Err(match similar(&text.to_lowercase(), ["none", "full", "equal"]) {
                Some(right) => {
                    format!("{written} is not a jitter; did you mean {}?", write(right))
                }
                None => format!("{written} is not a jitter; {JITTERS}"),
            }),
        }
    }
}
