use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error(), warn_every = 0)]
fn by_number() -> Result<(), ()> {
    Err(())
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), warn_every = 0s)]
fn by_time() -> Result<(), ()> {
    Err(())
}

fn main() {}

// errors: 2
