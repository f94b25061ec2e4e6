use retry::retry;

struct Client;

impl Client {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call(self) -> Result<Self, ()> {
        Ok(self)
    }
}

fn main() {}
