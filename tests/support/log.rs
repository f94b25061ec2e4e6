//! What a call does, written down.

use std::time::Duration;

use tokio::time::Instant;

/// What happened in a call, as its body and its sleep see it.
#[derive(Debug)]
pub struct Log {
    pub start: Instant,
    /// When each attempt started, on tokio's clock, counted from the log's own start.
    pub starts: Vec<Duration>,
    /// What each sleep was asked for; a wait of zero does not ask.
    pub sleeps: Vec<Duration>,
}

impl Log {
    pub fn new() -> Self {
        Self { start: Instant::now(), starts: Vec::new(), sleeps: Vec::new() }
    }

    /// Notes the start of an attempt and gives its number, from 1.
    pub fn attempt(&mut self) -> u32 {
        self.starts.push(self.start.elapsed());
        u32::try_from(self.starts.len()).unwrap()
    }

    /// The same, to count and index with.
    pub fn nth(&mut self) -> usize {
        self.attempt() as usize
    }

    pub fn attempts(&self) -> usize {
        self.starts.len()
    }

    /// From the start of one attempt to the start of the next.
    pub fn gaps(&self) -> Vec<Duration> {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// Notes the delay of a sync call instead of sleeping.
    pub fn sleep(&mut self, delay: Duration) {
        self.sleeps.push(delay);
    }

    /// Notes the delay of an async call, and sleeps.
    pub fn pause(&mut self, delay: Duration) -> tokio::time::Sleep {
        self.sleeps.push(delay);
        tokio::time::sleep(delay)
    }
}
