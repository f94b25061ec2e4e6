use retry::policy;

fn main() {
    let _ = policy! { stop = attempts(3), wait = none(), on = matches(Err(error) if error.is_busy()) };
}
