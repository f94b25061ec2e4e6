use retry::Transient;

#[derive(Transient)]
#[transient(crate = "::retry")]
enum Quoted {
    #[transient]
    Busy,
}

#[derive(Transient)]
#[transient(crate = retry)]
enum Relative {
    #[transient]
    Busy,
}

#[derive(Transient)]
#[transient(crate)]
enum Alone {
    #[transient]
    Busy,
}

#[derive(Transient)]
#[transient(crate = "::retry")]
#[permanent]
struct Struct;

fn main() {}

// errors: 4
