use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error(), describe = |attempt, outcome| "no")]
fn two_arguments() -> Result<u32, String> {
    Err("busy".to_owned())
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), describe = "it failed")]
fn a_text() -> Result<u32, String> {
    Err("busy".to_owned())
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), describe = async |outcome| "no")]
async fn awaits() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 3
