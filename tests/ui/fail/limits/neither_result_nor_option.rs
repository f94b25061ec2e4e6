use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = output(|n| *n == 0), deadline = 20s)]
async fn call() -> u32 {
    unimplemented!()
}

fn main() {}
