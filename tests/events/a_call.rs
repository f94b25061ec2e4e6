use super::*;

#[test]
fn that_succeeds_at_the_first_try_says_nothing() {
    #[retry(stop = attempts(3) | within(1h), wait = none(), on = any_error())]
    fn sync() -> Result<u32, String> {
        Ok(1)
    }
    #[retry(stop = attempts(3) | within(1h), wait = none(), on = any_error())]
    async fn not_sync() -> Result<u32, String> {
        Ok(1)
    }
    assert_eq!(events(sync), []);
    assert_eq!(paused(not_sync()), []);
}

#[test]
fn that_fails_for_good_at_the_first_try_says_nothing() {
    #[retry(stop = attempts(3) | within(1h), wait = none(), on = |_| false)]
    fn sync() -> Result<u32, String> {
        Err("no such table".to_owned())
    }
    #[retry(stop = attempts(3) | within(1h), wait = none(), on = |_| false)]
    async fn not_sync() -> Result<u32, String> {
        Err("no such table".to_owned())
    }
    assert_eq!(events(sync), []);
    assert_eq!(paused(not_sync()), []);
}

#[test]
fn that_is_switched_off_says_nothing() {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), enabled = false)]
    fn call() -> Result<(), String> {
        Err("off".to_owned())
    }
    assert_eq!(events(call), []);
}

#[test]
fn that_recovers_warns_of_each_retry_and_then_informs() {
    #[retry(stop = within(1h), wait = exponential(250ms), on = any_error())]
    async fn call(calls: &mut u32) -> Result<(), String> {
        *calls += 1;
        tokio::time::sleep(ms(125)).await;
        if *calls < 3 { Err(format!("failure {calls}")) } else { Ok(()) }
    }
    let events = paused(async { call(&mut 0).await });
    assert!(events.iter().all(|event| event.target == "retry"));
    let levels: Vec<_> = events.iter().map(|event| event.level).collect();
    assert_eq!(levels, [Level::WARN, Level::WARN, Level::INFO]);
    assert_eq!(
        rest(&events),
        [
            retrying(1, 0.25, Some(0.125), None, "failure 1"),
            retrying(2, 0.5, Some(0.5), None, "failure 2"),
            gave_up(3, Some(1.125), "success", None),
        ]
    );
    let messages: Vec<_> = events.iter().map(Seen::message).collect();
    assert_eq!(
        messages,
        ["attempt failed, retrying", "attempt failed, retrying", "succeeded after retrying"]
    );
}

#[test]
fn that_gives_up_warns_with_the_last_error() {
    #[retry(stop = attempts(3) | within(1h), wait = fixed(500ms), on = any_error())]
    async fn call(calls: &mut u32) -> Result<(), String> {
        *calls += 1;
        Err(format!("failure {calls}"))
    }
    let events = paused(async { call(&mut 0).await });
    assert!(events.iter().all(|event| event.level == Level::WARN && event.target == "retry"));
    assert_eq!(
        rest(&events),
        [
            retrying(1, 0.5, Some(0.0), Some(2), "failure 1"),
            retrying(2, 0.5, Some(0.5), Some(1), "failure 2"),
            gave_up(3, Some(1.0), "attempts", Some("failure 3")),
        ]
    );
    assert_eq!(events[2].message(), "giving up");
}

#[test]
fn never_shows_its_arguments() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn call(password: &str) -> Result<usize, String> {
        Err(format!("{} letters are too few", password.len()))
    }
    let events = events(|| call("hunter2"));
    assert_eq!(events.len(), 2);
    assert!(!format!("{events:?}").contains("hunter2"));
    let known =
        ["attempt", "call", "delay", "elapsed", "error", "left", "message", "name", "reason"];
    for event in &events {
        assert!(event.fields.keys().all(|key| known.contains(&key.as_str())), "{event:?}");
    }
}
