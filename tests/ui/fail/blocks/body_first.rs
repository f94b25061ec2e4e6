fn main() {
    let _ = retry::block!(|| Ok::<u32, ()>(1), stop = attempts(3), wait = none(), on = any_error());
}

// errors: 3
