use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> ! {
    loop {}
}

fn main() {}
