use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = stop, wait = none(), on = any_error())]
fn call(stop: Box<dyn retry::Stop<Ends = retry::stop::Unbounded>>) -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
