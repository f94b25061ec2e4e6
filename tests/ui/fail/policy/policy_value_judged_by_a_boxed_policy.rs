use retry::{BoxedPolicy, policy};

fn main() {
    let _: BoxedPolicy<String> =
        policy! { stop = attempts(3), wait = none(), on = ok(|value: &u8| *value == 0) }.boxed();
}
