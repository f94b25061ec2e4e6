use retry::retry;

#[retry(stop = attempts(3), wait = none())]
trait Api {
    fn call(&self) -> Result<u32, ()>;
}

#[retry(stop = attempts(3), wait = none())]
mod api {}

#[retry(stop = attempts(3), wait = none())]
unsafe extern "C" {
    fn getpid() -> i32;
}

unsafe extern "C" {
    #[retry(stop = attempts(3), wait = none())]
    fn getppid() -> i32;
}

macro_rules! api {
    () => {};
}

#[retry(stop = attempts(3), wait = none())]
api!();

fn main() {}

// errors: 5
