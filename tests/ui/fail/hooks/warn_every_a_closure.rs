use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error(), warn_every = |n| n > 3)]
fn call() -> Result<(), ()> {
    Err(())
}

fn main() {}
