use retry::retry;

trait Service {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn call(&self) -> Result<u32, ()>;
}

fn main() {}
