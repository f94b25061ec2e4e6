use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> u16 {
    404
}

fn main() {}
