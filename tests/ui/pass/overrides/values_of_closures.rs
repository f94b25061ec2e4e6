//! What a closure under a scope may give: anything that is no future.

use retry::{Report, record_sync, retry_with};

async fn fetch() -> u32 {
    7
}

fn reports<T>(f: impl FnOnce() -> T) -> Vec<Report> {
    record_sync(|| retry_with().sync_scope(f)).1
}

fn each(calls: &[&dyn Fn() -> u32]) -> Vec<Report> {
    calls.iter().flat_map(|call| record_sync(call).1).collect()
}

fn main() {
    record_sync(|| 7);
    record_sync(|| "text");
    record_sync(|| ());
    record_sync(|| Ok::<_, String>(7));
    let (number, _) = record_sync(Default::default);
    let _: u32 = number;
    let parsed: Result<u8, String> =
        retry_with().sync_scope(|| "7".parse().map_err(|_| String::new()));
    let _ = parsed.unwrap();
    let numbers = retry_with().sync_scope(|| (1..3).collect::<Vec<_>>());
    drop::<Vec<u8>>(numbers);
    let closure = retry_with().sync_scope(|| || 7);
    assert_eq!(closure(), 7);
    if numbers_are_gone() {
        record_sync(|| unreachable!());
        record_sync(|| -> ! { panic!() });
    }
    reports(|| 7);
    each(&[&|| 7]);
    // Made here, and run later on purpose.
    let futures = record_sync(|| [fetch(), fetch()]).0;
    drop(futures);
}

fn numbers_are_gone() -> bool {
    false
}
