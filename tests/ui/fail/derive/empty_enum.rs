use retry::Transient;

#[derive(Transient)]
enum Never {}

fn main() {}
