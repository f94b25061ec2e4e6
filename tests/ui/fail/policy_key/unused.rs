use retry::retry;

fn made() {}

#[retry(policy = made(), stop = attempts(3), wait = none(), on = any_error())]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
