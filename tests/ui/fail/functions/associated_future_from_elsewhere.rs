use retry::retry;

trait Service {
    type Future: Future<Output = Result<u32, ()>>;

    fn call(&mut self) -> Self::Future;
}

struct Inner<S>(S);

impl<S: Service> Service for Inner<S> {
    type Future = S::Future;

    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn call(&mut self) -> Self::Future {
        self.0.call()
    }
}

struct ResponseFuture;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn named() -> ResponseFuture {
    ResponseFuture
}

fn main() {}

// errors: 2
