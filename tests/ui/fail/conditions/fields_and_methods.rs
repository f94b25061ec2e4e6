use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

struct Client {
    busy: fn(&ApiError) -> bool,
}

impl Client {
    #[retry(stop = attempts(3), wait = none(), on = self.busy)]
    fn field(&self) -> Result<u32, ApiError> {
        Err(ApiError::Status(503))
    }

    #[retry(stop = attempts(3), wait = none(), on = self.is_busy())]
    fn method(&self) -> Result<u32, ApiError> {
        Err(ApiError::Busy)
    }
}

fn main() {}

// errors: 2
