//! Calls that are still going on, as the numbers of their function show them.

use std::future::pending;
use std::panic::{AssertUnwindSafe, catch_unwind};

use retry::{retry, retry_with};

use crate::support::polling::started;
use crate::support::site;

#[test]
fn a_call_in_a_pause_is_running_until_it_is_dropped() {
    #[retry(
        name = "running in a pause", stop = attempts(3), wait = fixed(1h), on = any_error(),
        sleep = |_| pending::<()>(),
    )]
    async fn call() -> Result<(), ()> {
        Err(())
    }
    let (one, other) = (started(call()), started(call()));
    let running = || site("running in a pause").running();
    assert_eq!(running(), 2);
    drop(one);
    assert_eq!(running(), 1);
    drop(other);
    assert_eq!(running(), 0);
    assert_eq!(site("running in a pause").cancelled(), 2);
}

#[test]
fn however_a_call_ends_it_runs_no_more() {
    #[retry(
        name = "running to an end", stop = attempts(3), wait = none(),
        on = |error: &&str| *error == "again",
        on_give_up = |_, _| assert_eq!(site("running to an end").running(), 0),
        on_success = |_, _| assert_eq!(site("running to an end").running(), 0),
    )]
    fn call(script: &mut &[Result<(), &'static str>]) -> Result<(), &'static str> {
        let (&first, rest) = script.split_first().unwrap();
        *script = rest;
        assert_ne!(first, Err("panic"), "the body panics");
        first
    }
    let again = Err("again");
    for script in [&[again, Ok(())][..], &[again, Err("no")], &[again; 3], &[again, Err("panic")]] {
        let mut script = script;
        let _ = catch_unwind(AssertUnwindSafe(|| call(&mut script)));
        assert_eq!(site("running to an end").running(), 0);
    }
    let site = site("running to an end");
    assert_eq!(
        (site.recovered(), site.permanent(), site.given_up(), site.panicked()),
        (1, 1, 1, 1)
    );
}

#[test]
fn a_call_that_is_watched_from_its_start_runs_from_its_first_failure_on_too() {
    #[retry(name = "running and watched", stop = attempts(2), wait = none(), on = any_error())]
    fn call(seen: &mut Vec<u64>) -> Result<(), ()> {
        seen.push(retry::sites().get("running and watched").map_or(0, retry::SiteStats::running));
        Err(())
    }
    let mut seen = vec![];
    retry_with().virtual_time().sync_scope(|| call(&mut seen)).unwrap_err();
    assert_eq!(seen, [0, 1]);
    assert_eq!(site("running and watched").running(), 0);
}

#[test]
fn a_link_that_is_kept_up_is_endless_and_not_the_worst_of_all() {
    #[retry(
        name = "endless link", forever, wait = fixed(1h), on = any_error(),
        sleep = |_| pending::<()>(),
    )]
    async fn link() -> Result<(), ()> {
        Err(())
    }
    #[retry(name = "never succeeds", stop = attempts(2), wait = none(), on = any_error())]
    fn fails() -> Result<(), ()> {
        Err(())
    }
    fails().unwrap_err();
    let _link = started(link());
    let sites = retry::sites();
    let place = |name| sites.iter().position(|site| site.name() == name).unwrap();
    assert!(place("never succeeds") < place("endless link"));
    assert!(site("endless link").is_endless() && !site("never succeeds").is_endless());
    let table = sites.to_string();
    let row = table.lines().find(|line| line.starts_with("endless link")).unwrap();
    assert!(row.contains(" endless "), "{row}");
}
