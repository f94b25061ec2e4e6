fn call() -> Result<u32, ()> {
    Err(())
}

async fn calls() {
    let _ = retry::block!(stop = attempts(3) wait = none(), || call());
    let _ = retry::block!(stop = attempts(3), wait = none(); || call());
    let _ = retry::block!(stop = attempts(3), wait = none() async { call() });
    let _ = retry::block!(stop = attempts(3), wait = none(), call());
    let _ = retry::block!(3, || call());
    let _ = retry::block!(stop = atempts(3), wait = fixed(1 s), || call());
    let _ = retry::block!(max_retries = 3, delay = 100ms, || call());
}

fn main() {}

// errors: 9
