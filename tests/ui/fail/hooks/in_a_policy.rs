
fn policy() -> impl Sized {
    retry::policy! {
        stop = attempts(3),
        wait = none(),
        before = |_| (),
        gate = |_, _| true,
        reset = 30s,
        fallback = |_, o| o,
        describe = |_| "",
        policy = other,
    }
}

fn main() {}

// errors: 6
