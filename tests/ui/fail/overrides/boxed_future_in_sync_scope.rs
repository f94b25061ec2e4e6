use std::pin::Pin;

use retry::retry_with;

fn fetch() -> Pin<Box<dyn Future<Output = Result<(), String>>>> {
    Box::pin(async { Err("unavailable".to_owned()) })
}

fn main() {
    let _future = retry_with().virtual_time().sync_scope(|| fetch());
}
