fn main() {
    let _ = retry::block!(wait = none(), on = any_error(), || Ok::<u32, ()>(1));
}
