use retry::Transient;

#[derive(Transient)]
enum ApiError {
    #[transient]
    #[permanent]
    One,
    #[transient]
    #[transient(throttled)]
    Two,
}

#[derive(Transient)]
#[transient]
#[ambiguous]
#[permanent]
struct Locked;

fn main() {}

// errors: 3
