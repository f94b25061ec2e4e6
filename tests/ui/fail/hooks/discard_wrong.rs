use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    discard = |outcome| drop(outcome),
)]
fn one_argument() -> Result<u32, String> {
    Err("busy".to_owned())
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    discard = [|_, _| (), |_, _| ()],
)]
fn several() -> Result<u32, String> {
    Err("busy".to_owned())
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    discard = async |_, outcome| drop(outcome),
)]
fn awaits() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 3
