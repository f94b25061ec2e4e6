use super::*;

use retry::Breaker;

/// The ids in the events, which must all have one.
fn ids(events: &[Seen]) -> Vec<&str> {
    assert!(events.iter().all(|event| event.call().len() == 36), "{events:#?}");
    events.iter().map(Seen::call).collect()
}

#[test]
fn is_the_same_in_all_events_of_a_call_and_the_one_that_the_body_knows() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn call(known: &mut Vec<String>) -> Result<(), String> {
        known.extend(retry::current().map(|attempt| attempt.call_id().to_string()));
        Err("down".to_owned())
    }
    let (mut one, mut other) = (vec![], vec![]);
    let events = events(|| (call(&mut one).unwrap_err(), call(&mut other).unwrap_err()));
    assert_eq!(ids(&events[..3]), one);
    assert_eq!(ids(&events[3..]), other);
    assert_ne!(one[0], other[0]);
}

#[test]
fn is_there_where_the_body_does_not_ask_for_it() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn call(calls: &mut u32) -> Result<(), u32> {
        *calls += 1;
        if *calls < 3 { Err(*calls) } else { Ok(()) }
    }
    let events = paused(async { call(&mut 0).await });
    let ids = ids(&events);
    assert_eq!(events[2].message(), "succeeded after retrying");
    assert!(ids.len() == 3 && ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[test]
fn is_in_the_events_of_a_link() {
    #[retry(stop = attempts(4), wait = none(), on = any_error(), reset = |_, _| true)]
    fn by_reset(calls: &mut u32) -> Result<(), u32> {
        *calls += 1;
        if *calls < 4 { Err(*calls) } else { Ok(()) }
    }
    #[retry(stop = attempts(4), wait = none(), on = any_error())]
    fn by_progress(calls: &mut u32) -> Result<(), u32> {
        *calls += 1;
        if *calls == 2 {
            retry::current().unwrap().progress();
        }
        if *calls < 4 { Err(*calls) } else { Ok(()) }
    }
    for call in [by_reset, by_progress] {
        let events = events(|| call(&mut 0));
        assert!(events.iter().any(|event| event.message() == "healthy again"), "{events:#?}");
        let ids = ids(&events);
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    }
}

#[test]
fn is_in_what_is_said_of_its_breaker() {
    static BREAKER: Breaker =
        Breaker::consecutive(1).open_for(Duration::from_secs(30)).jitter_factor(0.0);
    #[retry(stop = attempts(2), wait = fixed(1m), on = any_error(), breaker = &BREAKER)]
    async fn call(calls: &mut u32) -> Result<(), std::io::Error> {
        *calls += 1;
        if *calls < 2 { Err(std::io::Error::other("down")) } else { Ok(()) }
    }
    let events = paused(async {
        (call(&mut 0).await, tokio::time::sleep(ms(60_000)).await, call(&mut 1).await)
    });
    let messages: Vec<_> = events.iter().map(Seen::message).collect();
    assert_eq!(messages, ["breaker opened", "giving up", "breaker is half-open", "breaker closed"]);
    let ids = ids(&events);
    assert_eq!((ids[0], ids[2]), (ids[1], ids[3]));
    assert_ne!(ids[0], ids[2]);
}

#[test]
fn is_in_the_warning_that_retries_multiply() {
    #[retry(name = "its id: inner", stop = attempts(2), wait = none(), on = any_error())]
    fn inner() -> Result<(), String> {
        Err("down".to_owned())
    }
    #[retry(name = "its id: outer", stop = attempts(2), wait = none(), on = any_error())]
    fn outer() -> Result<(), String> {
        inner()
    }
    let events = events(outer);
    let ids = ids(&events);
    let place = |found: &dyn Fn(&Seen) -> bool| events.iter().position(found).unwrap();
    let multiply = place(&|event| event.message().starts_with("retries multiply"));
    let retried = place(&|event| event.name() == "its id: inner" && event.get("delay").is_some());
    assert_eq!(ids[multiply], ids[retried]);
    assert_ne!(ids[multiply], *ids.last().unwrap());
}
