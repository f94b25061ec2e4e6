use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error(), clone(body, body, head))]
fn call(body: String) -> Result<String, ()> {
    Ok(body)
}

fn main() {}

// errors: 2
