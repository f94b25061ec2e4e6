use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> Box<dyn Iterator<Item = u32>> {
    Box::new([1].into_iter())
}

fn main() {}
