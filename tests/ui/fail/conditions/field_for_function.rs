use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

struct Client {
    judge: fn(&ApiError) -> bool,
}

impl Client {
    #[retry(stop = attempts(3), wait = none(), on = self.judge)]
fn call(&self) -> Result<u32, ApiError> {
        Err(ApiError::Busy)
    }
}

fn main() {}
