use retry::retry;

fn call() -> Result<u32, ()> {
    Err(())
}

fn main() {
    #[retry(stop = attempts(3), wait = none())]
    let _ = call();
}

// errors: 2
