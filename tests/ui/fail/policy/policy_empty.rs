use retry::policy;

fn main() {
    let _ = policy! {};
}
