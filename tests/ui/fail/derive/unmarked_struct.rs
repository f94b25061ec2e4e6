use retry::Transient;

#[derive(Transient)]
#[transient(crate = ::retry)]
struct Locked {
    by: u64,
}

fn main() {}
