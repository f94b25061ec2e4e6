use retry::retry;
use tracing::instrument;

#[instrument(err)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn plain(text: String) -> Result<(), String> {
    Err(text)
}

#[instrument(err, ret)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn asynchronous(text: String) -> Result<(), String> {
    Err(text)
}

#[instrument(skip_all)]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn without_events(text: String) -> Result<(), String> {
    Err(text)
}

fn main() {}

// errors: 3
