use retry::policy;

fn main() {
    let _ = policy! {
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error::<String>(),
        deadline = 20s,
        attempt_timeout = 2s,
        cancel = || false,
        nested = once,
    };
}
