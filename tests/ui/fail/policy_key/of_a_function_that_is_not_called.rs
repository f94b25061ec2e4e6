use retry::retry;

fn made() -> retry::BoxedPolicy<String> {
    retry::policy! { stop = attempts(3), wait = none(), on = any_error() }.boxed()
}

#[retry(policy = made)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
