use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    fallback = |_, _| Default::default(),
)]
async fn call() -> Option<u32> {
    None
}

fn main() {}

// errors: 2
