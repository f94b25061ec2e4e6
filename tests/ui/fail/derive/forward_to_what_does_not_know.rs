use retry::Transient;

struct Opaque;

#[derive(Transient)]
enum ApiError<T> {
    #[transient(forward)]
    Parse(std::num::ParseIntError),
    #[transient(forward)]
    Opaque { source: Box<Opaque> },
    #[permanent]
    Other(T),
}

#[derive(Transient)]
#[transient(forward)]
struct Boxed(Box<dyn std::error::Error + Send + Sync>);

fn main() {}

// errors: 3
