use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    on_give_up = |_, _| println!("{text}"),
)]
fn call(text: String) -> Result<u32, String> {
    Err(text)
}

fn main() {}
