async fn call() {
    let _ = retry::block!(stop = attempts(3), wait = none(), on = any_error(), fallback = |_, _| 5, async { None::<u32> });
}

fn main() {}
