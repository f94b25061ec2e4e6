//! `log = off`: no event, and all the numbers.

use super::*;

#[retry(log = off, name = "silent", stop = attempts(3), wait = none(), on = any_error())]
fn silent(calls: &mut u32, good_at: u32) -> Result<u32, u32> {
    *calls += 1;
    if *calls >= good_at { Ok(*calls) } else { Err(*calls) }
}

#[test]
fn nothing_is_told_of_a_silent_function_and_all_is_counted() {
    assert_eq!(events(|| silent(&mut 0, 2)), []);
    assert_eq!(events(|| silent(&mut 0, 9)), []);
    let counted = support::site("silent");
    assert_eq!((counted.calls(), counted.recovered(), counted.retries()), (2, 1, 3));
}

#[test]
fn others_in_and_around_it_are_told_of() {
    #[retry(name = "loud", stop = attempts(2), wait = none(), on = any_error())]
    fn loud() -> Result<u32, u32> {
        retry::block!(
            log = off,
            stop = attempts(2),
            wait = none(),
            on = any_error(),
            || -> Result<u32, u32> { Err(1) }
        )
    }
    let names: Vec<_> = events(loud).iter().map(|event| event.name().to_owned()).collect();
    assert_eq!(names, ["loud", "loud"]);
}

#[test]
fn a_policy_may_be_silent_too() {
    let policy = |loud| {
        if loud {
            retry::policy! { stop = attempts(2), wait = none(), on = any_error() }
        } else {
            retry::policy! { log = off, stop = attempts(2), wait = none(), on = any_error() }
        }
    };
    let told = |loud| events(|| policy(loud).call(|| Err::<(), _>(1))).len();
    assert_eq!((told(true), told(false)), (2, 0));
}
