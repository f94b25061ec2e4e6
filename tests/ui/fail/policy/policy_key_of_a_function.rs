use retry::policy;

fn main() {
    let _ = policy! {
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        sleep = std::thread::sleep,
        enabled = true,
        clone(body),
    };
}

// errors: 3
