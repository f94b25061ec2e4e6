fn main() {
    let _ = retry::block!(stop = attempts(3), wait = none(), on = any_error(), { Ok::<u32, ()>(1) });
}
