use retry::policy;

fn main() {
    let _ = policy! { stop = |state| state.attempt() > 3, wait = none(), on = any_error() };
}
