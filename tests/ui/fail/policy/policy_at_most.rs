use retry::policy;

fn main() {
    let _ = policy! { stop = attempts(3), wait = none(), on = any_error().at_most(1) };
}
