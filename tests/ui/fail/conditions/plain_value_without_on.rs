use retry::retry;

#[retry(stop = attempts(3), wait = none())]
fn call() -> u16 {
    404
}

fn main() {}
