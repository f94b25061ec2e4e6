
fn call() -> Result<u32, String> {
    retry::block!(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        before = async |_| (),
        after = |outcome| (),
        gate = |_, _| 1,
        || "one".parse::<u32>().map_err(|error| error.to_string()),
    )
}

fn main() {}

// errors: 2
