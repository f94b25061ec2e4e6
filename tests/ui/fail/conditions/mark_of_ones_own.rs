use retry::Mark;
use std::time::Duration;

pub struct Busy;

impl Mark for Busy {
    fn permanent(self) -> Self {
        self
    }
    fn transient(self) -> Self {
        self
    }
    fn ambiguous(self) -> Self {
        self
    }
    fn retry_after(self, _: Duration) -> Self {
        self
    }
    fn now(self) -> Self {
        self
    }
    fn next_of(self, _: usize) -> Self {
        self
    }
}

fn main() {}
