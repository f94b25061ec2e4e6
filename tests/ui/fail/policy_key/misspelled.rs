use retry::retry;

#[retry(polcy = made(), config = made())]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 2
