use retry::{BoxedPolicy, policy};

struct Client {
    policy: BoxedPolicy<std::io::Error>,
}

fn main() {
    let client = Client { policy: policy! { stop = attempts(3), wait = none(), on = any_error() } };
    drop(client.policy);
}
