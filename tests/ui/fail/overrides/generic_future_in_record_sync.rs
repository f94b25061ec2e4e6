use retry::{Report, record_sync};

pub fn reports<F: Future>(fetch: impl FnOnce() -> F) -> Vec<Report> {
    record_sync(fetch).1
}

fn main() {}
