fn main() {
    let _ = retry::policy!(stop = attempts(3), wait = none(), on = |error: &ApiError| error.is_busy());
}
