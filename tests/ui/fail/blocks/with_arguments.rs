fn main() {
    let _ = retry::block!(stop = attempts(3), wait = none(), on = any_error(), |n: u32| Ok::<u32, ()>(n));
}
