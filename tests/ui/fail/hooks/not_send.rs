use retry::retry;

fn send(_: impl Send) {}

pub fn spawn() {
    send(call());
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = async |_| { let shared = std::rc::Rc::new(1); std::future::ready(()).await; drop(shared) },
)]
async fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
