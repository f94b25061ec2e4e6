use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error(), clone(token))]
fn call(token: Token) -> Result<Token, ()> {
    Ok(token)
}

struct Token;

fn main() {}
