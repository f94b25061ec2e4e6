use retry::{BoxedPolicy, policy};

fn take(_: BoxedPolicy<std::io::Error>) {}

fn main() {
    take(policy! { stop = attempts(3), wait = none(), on = |error: &std::io::Error| error.kind() == std::io::ErrorKind::TimedOut });
}
