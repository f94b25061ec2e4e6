use retry::retry;

#[retry(policy = retry::policy! { forever, wait = none(), on = any_error() })]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
