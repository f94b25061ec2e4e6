//! A report as data, by serde (feature `serde`).

use core::time::Duration;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::report::error::RetryError;
use crate::report::exhausted::Exhausted;
use crate::report::interrupted::Interruption;
use crate::report::reason::StopReason;
use crate::report::report::{PastAttempt, Report};
use crate::verdict::verdict::Verdict;

/// In seconds, as in the events: what logs are searched by is a number, and its unit is that of the
/// metrics.
struct Seconds(Duration);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_secs_f64())
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Report", 6)?;
        fields.serialize_field("name", self.name())?;
        fields.serialize_field("reason", &self.reason)?;
        fields.serialize_field("attempts", &self.attempts)?;
        fields.serialize_field("elapsed", &self.elapsed.map(Seconds))?;
        fields.serialize_field("waited", &Seconds(self.waited))?;
        fields.serialize_field("history", &self.history)?;
        fields.end()
    }
}

/// The fields of a [`Report`], without `waited`. The last error is not among them, as it may be of any
/// type; its text is that of the last attempt.
impl<E> Serialize for RetryError<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("RetryError", 5)?;
        fields.serialize_field("name", self.name())?;
        fields.serialize_field("reason", &self.reason)?;
        fields.serialize_field("attempts", &self.attempts)?;
        fields.serialize_field("elapsed", &self.elapsed.map(Seconds))?;
        fields.serialize_field("history", &self.history)?;
        fields.end()
    }
}

impl Serialize for PastAttempt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("PastAttempt", 7)?;
        fields.serialize_field("number", &self.number)?;
        fields.serialize_field("duration", &self.duration.map(Seconds))?;
        fields.serialize_field("verdict", &self.verdict)?;
        fields.serialize_field("delay", &self.delay.map(Seconds))?;
        fields.serialize_field("error", &self.error())?;
        fields.serialize_field("interruption", &self.interruption)?;
        fields.serialize_field("exhausted", &self.exhausted)?;
        fields.end()
    }
}

/// `meaning` is `final`, `retry` or `ambiguous`.
impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let meaning = if self.is_final() {
            "final"
        } else if self.is_retry() {
            "retry"
        } else {
            "ambiguous"
        };
        let mut fields = serializer.serialize_struct("Verdict", 4)?;
        fields.serialize_field("meaning", meaning)?;
        fields.serialize_field("retry_after", &self.hint().map(Seconds))?;
        fields.serialize_field("now", &self.is_now())?;
        fields.serialize_field("throttled", &self.is_throttled())?;
        fields.end()
    }
}

impl Serialize for Exhausted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Exhausted", 3)?;
        fields.serialize_field("name", self.name())?;
        fields.serialize_field("reason", &self.reason)?;
        fields.serialize_field("attempts", &self.attempts)?;
        fields.end()
    }
}

/// Its word, [`as_str`](Self::as_str).
impl Serialize for StopReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Its word, [`as_str`](Self::as_str).
impl Serialize for Interruption {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
