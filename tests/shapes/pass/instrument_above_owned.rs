//! `#[instrument]` above `#[retry]` on async functions whose body needs its arguments each time.

use retry::retry;
use tracing::instrument;

#[instrument(skip_all)]
#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn owned(text: String) -> Result<usize, ()> {
    Ok(text.len())
}

struct Service(u32);

impl Service {
    #[instrument(skip_all)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn by_mut(&mut self) -> Result<u32, ()> {
        self.0 += 1;
        if self.0 < 3 { Err(()) } else { Ok(self.0) }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    assert_eq!(owned("four".to_owned()).await, Ok(4));
    assert_eq!(Service(0).by_mut().await, Ok(3));
}
