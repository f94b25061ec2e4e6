use retry::{retry, retry_with};

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn fetch() -> Result<u32, ()> {
    Ok(1)
}

async fn test() {
    let _ = retry_with().seed(1).scope(|| fetch()).await;
}

fn main() {}
