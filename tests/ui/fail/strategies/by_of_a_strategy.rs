use retry::retry;

#[retry(stop = attempts(3), wait = by(fixed(1s)), on = any_error())]
fn call() -> Result<u32, ()> {
    Err(())
}

fn main() {}
