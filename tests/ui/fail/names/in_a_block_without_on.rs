fn main() {
    let _ = retry::block!(stop = attempts(3), wait = none(), || -> Result<u32, ApiError> { Ok(1) });
}
