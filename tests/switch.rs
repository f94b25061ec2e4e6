//! The switch for the whole process. A test binary of its own, with one test: what it switches
//! off is off for everything that runs beside it.

#![allow(clippy::items_after_statements)] // a function stands beside what it is asked
#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(missing_docs)]

mod support;

use std::time::Duration;

use retry::{
    Step, StopReason, block, policy, record_sync, retry, retry_with, set_enabled, sites, stop,
};
use tokio::task::yield_now;

use support::polling::{finish, started};

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = |_| *hooks += 1,
    on_give_up = |_, _| *hooks += 1,
    fallback = |_, _| Ok(9),
)]
fn call(hooks: &mut u32) -> Result<u32, u32> {
    Err(retry::current().unwrap().number())
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call_async() -> Result<(), u32> {
    yield_now().await;
    Err(retry::current().unwrap().number())
}

#[test]
fn switched_off_every_call_is_its_plain_body_until_it_is_switched_on_again() {
    assert!(retry::is_enabled());
    let begun = started(call_async());
    let policy = policy! { stop = attempts(3), wait = none(), on = any_error() };
    let failed = Err::<(), ()>(());
    let mut started_schedule = policy.schedule();
    assert_eq!(started_schedule.failed(&failed), Step::Wait(Duration::ZERO));

    set_enabled(false);
    assert!(!retry::is_enabled());
    let mut hooks = 0;
    assert_eq!((call(&mut hooks), hooks), (Err(1), 0));
    assert_eq!(finish(call_async()), Err(1));
    assert_eq!(std::thread::spawn(|| call(&mut 0)).join().unwrap(), Err(1));
    let (_, reports) = record_sync(|| call(&mut hooks));
    assert_eq!((reports[0].attempts(), reports[0].reason()), (1, StopReason::Disabled));
    // A call that has started goes on as it has started.
    assert_eq!(finish(begun), Err(3));
    // Overrides of a test win over the switch, and others leave it as it is.
    assert_eq!(retry_with().enabled(true).sync_scope(|| call(&mut hooks)), Ok(9));
    assert_eq!(retry_with().stop(stop::attempts(5)).sync_scope(|| call(&mut hooks)), Err(1));
    // A loop of the user's own is told to stop, unless it has started.
    assert_eq!(started_schedule.failed(&failed), Step::Wait(Duration::ZERO));
    assert_eq!(policy.schedule().failed(&failed), Step::Stop(StopReason::Disabled));
    let step = retry_with().enabled(true).sync_scope(|| policy.schedule().failed(&failed));
    assert_eq!(step, Step::Wait(Duration::ZERO));
    // Nothing but a success can end this one.
    let mut calls = 0;
    let value: u32 = block!(forever, wait = none(), on = any_error(), || {
        calls += 1;
        if calls < 3 { Err(()) } else { Ok(calls) }
    });
    assert_eq!(value, 3);
    // Nor is a link that goes on forever dead when the switch is on again, however it is made.
    #[retry(forever, wait = none(), on = |n| *n < 3)]
    fn link(calls: &mut u32) -> Result<(), u32> {
        *calls += 1;
        Err(*calls)
    }
    #[retry(forever, wait = none(), on = any_error(), enabled = enabled)]
    fn link_if(enabled: bool) -> Result<u32, ()> {
        retry::current().unwrap().left().map_or(Ok(1), Ok)
    }
    assert_eq!(link(&mut 0), Err(3));
    assert_eq!((link_if(true), link_if(false)), (Ok(1), Ok(0)));
    assert_eq!(retry_with().enabled(false).sync_scope(|| link(&mut 0)), Err(1));
    let endless = policy! { forever, wait = none(), on = |n: &u32| *n < 3 };
    let mut calls = 0;
    let outcome = endless.call(|| {
        calls += 1;
        Err::<(), _>(calls)
    });
    assert_eq!(outcome, Err(3));
    assert_eq!(endless.schedule().failed(&Err::<(), _>(1)), Step::Wait(Duration::ZERO));
    let stats = sites();
    assert_eq!(stats.get("switch::call").unwrap().disabled(), 4);

    set_enabled(true);
    assert!(retry::is_enabled());
    let mut hooks = 0;
    assert_eq!((call(&mut hooks), hooks), (Ok(9), 4));
    assert_eq!(finish(call_async()), Err(3));
}
