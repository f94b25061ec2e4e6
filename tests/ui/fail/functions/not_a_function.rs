use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
struct Call;

fn main() {}
