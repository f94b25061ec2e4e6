use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
impl Client {
    fn call(&self) -> Result<u32, ()> {
        Ok(1)
    }
}

struct Client;

fn main() {}
