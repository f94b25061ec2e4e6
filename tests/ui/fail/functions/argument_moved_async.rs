use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call(body: String) -> Result<String, ()> {
    send(body).await
}

async fn send(body: String) -> Result<String, ()> {
    Ok(body)
}

fn main() {}
