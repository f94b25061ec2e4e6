fn main() {
    let _ = retry::block!();
}

// errors: 2
