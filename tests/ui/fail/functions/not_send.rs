use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call() -> Result<u32, ()> {
    let shared = std::rc::Rc::new(1);
    std::future::ready(()).await;
    Ok(*shared)
}

fn send(_: impl Send) {}

fn main() {
    send(call());
}
