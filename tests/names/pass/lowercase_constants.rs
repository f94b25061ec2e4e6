//! Constants called like variables of the expansion, where a variable would be a pattern.

#![allow(non_upper_case_globals)]

const call: u32 = 1;
const outcome: u32 = 2;
const error: u32 = 3;
const verdict: u32 = 4;
const pause: u32 = 5;
const it: u32 = 6;
const matched: u32 = 7;

#[retry::retry(stop = attempts(3), wait = none(), on = any_error() | busy | matches(Err(_)))]
fn sync() -> Result<u32, ()> {
    Err(())
}

#[retry::retry(stop = attempts(3), wait = none(), on = any_error(), sleep = slept)]
async fn asynchronous() -> Result<u32, ()> {
    Err(())
}

async fn slept(_: std::time::Duration) {}

fn busy(_: &()) -> bool {
    true
}

fn main() {
    assert!(sync().is_err());
    drop(asynchronous());
    assert_eq!(call + outcome + error + verdict + pause + it + matched, 28);
}
