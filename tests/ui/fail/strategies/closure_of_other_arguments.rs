use retry::retry;

fn main() {}

#[retry(stop = attempts(3) | (|state, outcome| true), wait = || 5s, on = any_error())]
fn none() -> Result<(), ()> {
    Ok(())
}

#[retry(stop = attempts(3), wait = |state, outcome, more| 5s, on = any_error())]
fn three() -> Result<(), ()> {
    Ok(())
}

#[retry(stop = attempts(3), wait = fixed(1s).throttled(|state, outcome| 5s), on = any_error())]
fn inside() -> Result<(), ()> {
    Ok(())
}

#[retry(stop = attempts(3), wait = async |state| 5s, on = any_error())]
fn awaits() -> Result<(), ()> {
    Ok(())
}

fn policy() {
    let _ = retry::policy! { stop = attempts(3), wait = |state, outcome| 5s, on = any_error() };
}

// errors: 6
