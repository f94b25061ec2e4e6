use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> std::pin::Pin<Box<dyn Future<Output = Result<u32, ()>>>> {
    elsewhere()
}

fn elsewhere() -> std::pin::Pin<Box<dyn Future<Output = Result<u32, ()>>>> {
    Box::pin(async { Ok(1) })
}

fn main() {}
