use retry::Transient;

#[derive(Transient)]
#[transient]
enum Unmarked {
    Unavailable,
    TimedOut,
}

#[derive(Transient)]
#[permanent]
enum MarkedTwice {
    #[transient]
    Unavailable,
    #[permanent]
    NotFound,
}

#[derive(Transient)]
#[transient(crate = ::retry, throttled)]
enum BesideCrate {
    #[transient]
    Unavailable,
}

fn main() {}

// errors: 3
