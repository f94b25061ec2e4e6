use retry::Transient;

#[derive(Transient)]
enum ApiError {
    #[transient]
    Unavailable,
    NotFound { path: String },
}

fn main() {}
