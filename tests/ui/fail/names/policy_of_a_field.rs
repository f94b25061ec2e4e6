use retry::retry;

#[derive(Debug)]
pub struct Busy;

struct Client;

impl Client {
    #[retry(policy = &self.policy)]
    fn call(&self) -> Result<u32, Busy> {
        Err(Busy)
    }
}

fn main() {}
