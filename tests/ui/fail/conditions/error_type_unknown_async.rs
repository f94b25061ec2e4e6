use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = attempts(3), wait = none())]
async fn call() -> Result<u32, NotTransient> {
    Err(NotTransient)
}

struct NotTransient;

fn main() {}
