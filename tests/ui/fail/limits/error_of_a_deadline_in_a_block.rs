

#[derive(Debug)]
pub struct ApiError;

async fn call() -> Result<u32, ApiError> {
    retry::block!(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = 20s, async {
        Err::<u32, ApiError>(ApiError)
    })
}

fn main() {}
