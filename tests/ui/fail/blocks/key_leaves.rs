fn limit() -> Option<u32> {
    None
}

fn call() -> Option<u32> {
    let stop = retry::policy! { stop = attempts(limit()?), wait = none(), on = any_error() };
    stop.call(|| None::<u32>);
    retry::block!(stop = attempts(limit()?), wait = none(), on = any_error(), || None::<u32>)
}

async fn get(limit: impl Future<Output = u32>) -> Option<u32> {
    retry::block!(
        stop = attempts(limit.await),
        wait = none(),
        on = any_error(),
        async { None::<u32> },
    )
}

fn main() {}

// errors: 2
