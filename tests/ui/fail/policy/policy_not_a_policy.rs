use retry::{Schedule, stop};

fn main() {
    let _ = Schedule::new(stop::attempts(3));
}
