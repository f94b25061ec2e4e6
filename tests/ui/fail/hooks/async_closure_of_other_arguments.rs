use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before_sleep = async |attempt: u32, error: &String| (),
)]
async fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 2
