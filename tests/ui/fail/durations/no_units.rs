use retry::retry;

#[retry(stop = attempts(3), wait = sequence([1, 2, 4]), on = any_error())]
fn list() -> Result<u32, ()> {
    Err(())
}

#[retry(stop = attempts(3), wait = random(1..2), on = any_error())]
fn range() -> Result<u32, ()> {
    Err(())
}

#[retry(stop = attempts(3), wait = decorrelated(0.1, 10), on = any_error())]
fn arguments() -> Result<u32, ()> {
    Err(())
}

fn main() {}

// errors: 3
