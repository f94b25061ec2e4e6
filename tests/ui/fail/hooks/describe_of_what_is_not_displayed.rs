use retry::retry;

struct Mute;

#[retry(stop = attempts(3), wait = none(), on = any_error(), describe = |_| Mute)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
