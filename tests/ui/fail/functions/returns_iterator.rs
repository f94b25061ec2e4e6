use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> impl Iterator<Item = u32> {
    [1].into_iter()
}

fn main() {}
