//! Functions that return a policy with a condition, for `policy = …`.

use retry::retry;

use super::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Failure {
    Busy,
    Gone,
}

fn by_trait()
-> impl AsPolicy<Stop = impl Stop<Ends = stop::Bounded>, On = impl On<Result<u32, Failure>>> {
    policy! { stop = attempts(3), wait = none(), on = |error: &Failure| *error == Failure::Busy }
}

fn by_parts() -> Policy<impl Stop<Ends = stop::Bounded>, impl Wait, impl On<Result<u32, Failure>>> {
    policy! { stop = attempts(3), wait = none(), on = |error: &Failure| *error == Failure::Busy }
}

fn of_errors() -> BoxedPolicy<Failure> {
    let on = |error: &Failure| *error == Failure::Busy;
    policy! { stop = attempts(3), wait = none(), on = error(on) }.boxed()
}

#[retry(policy = of_errors())]
fn called_for_any_success<T>(calls: &mut u32, failure: Failure) -> Result<T, Failure> {
    *calls += 1;
    Err(failure)
}

#[retry(policy = by_trait())]
fn called_by_trait(calls: &mut u32, failure: Failure) -> Result<u32, Failure> {
    *calls += 1;
    Err(failure)
}

#[retry(policy = by_parts())]
fn called_by_parts(calls: &mut u32, failure: Failure) -> Result<u32, Failure> {
    *calls += 1;
    Err(failure)
}

#[test]
fn a_returned_policy_brings_its_condition_along() {
    type Call = fn(&mut u32, Failure) -> Result<u32, Failure>;
    for call in [called_by_trait as Call, called_by_parts, called_for_any_success] {
        let (mut busy, mut gone) = (0, 0);
        assert_eq!(call(&mut busy, Failure::Busy), Err(Failure::Busy));
        assert_eq!(call(&mut gone, Failure::Gone), Err(Failure::Gone));
        assert_eq!((busy, gone), (3, 1));
    }
}

#[retry(policy = by_trait())]
async fn called_later(failure: Failure) -> Result<u32, Failure> {
    Err(failure)
}

#[tokio::test(start_paused = true)]
async fn a_future_by_a_policy_of_which_nothing_is_seen_can_be_spawned() {
    assert_eq!(tokio::spawn(called_later(Failure::Gone)).await.unwrap(), Err(Failure::Gone));
}

fn by_trait_with_a_wait()
-> impl AsPolicy<Stop = impl Stop<Ends = stop::Bounded>, On = impl On<Result<u32, Failure>>> {
    policy! { stop = attempts(3), wait = fixed(1s), on = any_error() }
}

#[retry(policy = by_trait_with_a_wait())]
fn waits_by_trait(calls: &mut u32) -> Result<u32, Failure> {
    *calls += 1;
    if *calls == 1 { Err(Failure::Busy) } else { Ok(*calls) }
}

#[test]
fn a_pause_by_a_policy_of_which_nothing_is_seen_is_over_when_the_next_attempt_starts() {
    let call = || retry_with().virtual_time().sync_scope(|| waits_by_trait(&mut 0));
    let (outcome, reports) = record_sync(call);
    assert_eq!(outcome, Ok(2));
    assert_eq!((reports[0].attempts(), reports[0].waited()), (2, ms(1_000)));
    // The second attempt has not taken the pause as well.
    let attempts = reports[0].history();
    assert!(
        attempts.iter().all(|it| it.duration().is_some_and(|it| it < ms(1_000))),
        "{attempts:?}"
    );
}
