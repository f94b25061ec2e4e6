use retry::Transient;

#[derive(Transient)]
enum ApiError {
    #[transiant]
    Unavailable,
    #[permanent]
    NotFound,
}

fn main() {}
