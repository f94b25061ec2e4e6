use retry::retry;

struct Client;

impl Client {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), clone(self))]
fn call(self) -> Result<u32, ()> {
        Ok(1)
    }
}

fn main() {}
