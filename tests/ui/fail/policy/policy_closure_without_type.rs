use retry::policy;

fn main() {
    let _ = policy! { stop = attempts(3), wait = none(), on = |error| error == "busy" | error(|it| it.is_busy()) };
    let _ = policy! { stop = attempts(3), wait = none(), on = ok(|value| *value == 0) | output(|it| it.is_err()) };
}

// errors: 4
