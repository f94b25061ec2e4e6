use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> Pending {
    elsewhere()
}

type Pending = std::pin::Pin<Box<dyn Future<Output = Result<u32, ()>>>>;

fn elsewhere() -> Pending {
    Box::pin(async { Ok(1) })
}

fn main() {}
