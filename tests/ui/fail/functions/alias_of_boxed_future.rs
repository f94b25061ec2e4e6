use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> Pending {
    Box::pin(async { Ok(1) })
}

type Pending = std::pin::Pin<Box<dyn Future<Output = Result<u32, ()>>>>;

fn main() {}
