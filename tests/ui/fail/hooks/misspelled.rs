use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    befor = |a| (),
    on_sucess = |r, o| (),
    on_giveup = |r, o| (),
    warnafter = 3,
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 4
