fn main() {
    let _ = retry::block!();
}
