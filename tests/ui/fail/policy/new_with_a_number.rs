use retry::{Policy, on, wait};

fn main() {
    let _ = Policy::new(3, wait::none(), on::any_error());
}
