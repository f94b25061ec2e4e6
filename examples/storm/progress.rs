//! How far it is, on the standard error, so that what is printed can be piped.

use std::io::{IsTerminal, Write, stderr};

const WIDTH: f64 = 30.0;

pub(crate) struct Progress {
    what: &'static str,
    /// A line that is written over; elsewhere there is one line at the end.
    is_live: bool,
}

impl Progress {
    pub(crate) fn new(what: &'static str) -> Self {
        let progress = Self { what, is_live: stderr().is_terminal() };
        progress.show(0.0);
        progress
    }

    /// The share that is done, from 0 to 1.
    pub(crate) fn show(&self, done: f64) {
        if self.is_live {
            self.write(done, '\r');
        }
    }

    pub(crate) fn end(&self) {
        self.write(1.0, '\n');
    }

    fn write(&self, done: f64, end: char) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a width
        let full = (done.clamp(0.0, 1.0) * WIDTH) as usize;
        let bar = format!("{:░<30}", "▓".repeat(full));
        // Progress that nobody can see is no reason to stop.
        let _ = write!(stderr(), "{:<22}{bar} {:3.0} %{end}", self.what, done * 100.0);
        let _ = stderr().flush();
    }
}
