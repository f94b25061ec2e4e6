use retry::retry;

#[derive(Debug)]
struct ApiError;

impl ApiError {
    fn is_transient(&self) -> bool {
        true
    }
}

#[retry(
    stop = attempts(5) | within(30s),
    wait = exponential(100ms).cap(10s).full_jitter(),
    on = ApiError::is_transient,
)]
async fn fetch_order(id: u64) -> Result<u64, ApiError> {
    Ok(id)
}

fn main() {
    drop(fetch_order(7));
}
