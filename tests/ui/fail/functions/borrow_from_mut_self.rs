use retry::retry;

struct Client {
    next: u32,
}

impl Client {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call(&mut self) -> Result<&mut u32, ()> {
        Ok(&mut self.next)
    }
}

fn main() {}
