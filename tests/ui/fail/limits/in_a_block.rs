use retry::block;

async fn fetch() -> Result<u32, std::io::Error> {
    block!(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        deadline = 500ms,
        attempt_timeout = 2s,
        async { Ok::<u32, std::io::Error>(1) }
    )
}

fn read() -> Result<u32, std::io::Error> {
    block!(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        attempt_timeout = 2s,
        || -> Result<u32, std::io::Error> { Ok(1) }
    )
}

fn main() {}

// errors: 4
