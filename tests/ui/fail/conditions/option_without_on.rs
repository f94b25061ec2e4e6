use retry::retry;

#[retry(stop = attempts(3), wait = none())]
fn call() -> Option<u32> {
    None
}

fn main() {}
