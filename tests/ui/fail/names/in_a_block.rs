fn main() {
    let _ = retry::block!(stop = attempts(3), wait = none(), on = any_error(), || -> Result<u32, ApiError> { Ok(1) });
}
