use retry::{Transient, retry};

#[derive(Debug)]
struct Opaque;

#[derive(Debug, Transient)]
enum ApiError<E> {
    #[transient(forward)]
    Other(E),
    #[permanent]
    NotFound,
}

#[retry(stop = attempts(3), wait = none())]
fn call() -> Result<u32, ApiError<Opaque>> {
    Err(ApiError::Other(Opaque))
}

fn main() {}
