use retry::{Transient, retry};

#[derive(Debug, Transient)]
enum ApiError<T> {
    #[transient]
    Busy(T),
    NotFound,
}

#[retry(stop = attempts(3), wait = none())]
fn call() -> Result<u32, ApiError<u8>> {
    Err(ApiError::NotFound)
}

fn main() {
    let error = ApiError::Busy(1);
    assert!(error.verdict().is_retry());
    let _ = call();
}
