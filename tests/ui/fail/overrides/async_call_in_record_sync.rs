use retry::{record_sync, retry};

#[retry(stop = attempts(3), wait = fixed(1h), on = any_error())]
async fn fetch() -> Result<(), String> {
    Err("unavailable".to_owned())
}

fn main() {
    let (_, reports) = record_sync(|| fetch());
    assert_eq!(reports.len(), 1);
}
