use retry::policy;

fn main() {
    let policy = policy! { stop = attempts(3), wait = none() };
    let _ = policy.call(|| Err::<(), _>("busy"));
}
