use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
const fn call() -> Result<u32, ()> {
    Ok(1)
}

fn main() {}
