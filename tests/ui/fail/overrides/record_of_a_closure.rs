use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn fetch() -> Result<u32, ()> {
    Ok(1)
}

async fn test() {
    let _ = retry::record(|| fetch()).await;
}

fn main() {}
