use retry::BoxedPolicy;
use std::io;

async fn read(policy: &BoxedPolicy<io::Error>) -> io::Result<u32> {
    policy.call_async(|| Ok::<u32, io::Error>(1)).await
}

fn main() {}

// Of a wrong argument of an async method the compiler tells at the method, the call and the `.await`.
// errors: 3
