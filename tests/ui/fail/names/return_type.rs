use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> Answer {
    loop {}
}

fn main() {}
