use retry::{Policy, stop, wait};

fn main() {
    let policy = Policy::new(stop::attempts(3), wait::none(), |error: &str| error == "busy");
    let _ = policy.call(|| Err::<(), _>("busy"));
}
