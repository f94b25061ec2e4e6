use std::time::Duration;

use retry::{Policy, on, stop};

fn main() {
    let _ = Policy::new(stop::attempts(3), Duration::from_secs(1), on::any_error());
}
