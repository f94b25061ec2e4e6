use retry::{retry, retry_with};

#[retry(stop = attempts(3), wait = fixed(1h), on = any_error())]
async fn fetch() -> Result<(), String> {
    Err("unavailable".to_owned())
}

fn main() {
    let _future = retry_with().virtual_time().sync_scope(fetch);
}
