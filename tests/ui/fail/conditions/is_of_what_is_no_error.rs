use retry::retry;

pub struct NoError;

#[retry(stop = attempts(3), wait = none(), on = is::<NoError>())]
pub fn call() -> Result<u32, Box<dyn std::error::Error>> {
    Ok(1)
}

fn main() {}
