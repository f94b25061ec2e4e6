//! Overrides for the calls of one function.

use retry::{Inherit, block, record_sync, retry, retry_with, stop};

use super::report;
use crate::support::polling::poll;

mod inside {
    use super::*;

    #[retry(stop = attempts(4), wait = none(), on = any_error())]
    pub(super) fn fetch() -> Result<(), ()> {
        Err(())
    }

    #[retry(stop = attempts(4), wait = none(), on = any_error())]
    pub(super) fn prefetch() -> Result<(), ()> {
        Err(())
    }

    #[retry(stop = attempts(4), wait = none(), on = any_error(), name = "orders: fetch")]
    pub(super) fn named() -> Result<(), ()> {
        Err(())
    }
}

struct Client;

impl Client {
    #[retry(stop = attempts(4), wait = none(), on = any_error())]
    fn get(&self) -> Result<(), ()> {
        Err(())
    }
}

struct Of<T>(T);

impl<T> Of<T> {
    #[retry(stop = attempts(4), wait = none(), on = any_error())]
    fn get(&self) -> Result<(), ()> {
        Err(())
    }
}

trait Fetch {
    fn fetch(&self) -> Result<(), ()>;

    #[retry(stop = attempts(4), wait = none(), on = any_error())]
    fn provided(&self) -> Result<(), ()> {
        Err(())
    }
}

impl Fetch for Client {
    #[retry(stop = attempts(4), wait = none(), on = any_error())]
    fn fetch(&self) -> Result<(), ()> {
        Err(())
    }
}

impl Fetch for Of<u8> {
    #[retry(stop = attempts(4), wait = none(), on = any_error())]
    fn fetch(&self) -> Result<(), ()> {
        Err(())
    }
}

/// Whether overrides for `name` reach the call, which makes four attempts without them.
fn reaches(name: &str, call: impl FnOnce() -> Result<(), ()>) -> bool {
    let overrides = retry_with().stop(stop::attempts(2)).only(name);
    match report(|| overrides.sync_scope(call)).attempts() {
        2 => true,
        4 => false,
        attempts => panic!("{attempts} attempts"),
    }
}

#[test]
fn a_function_is_named_by_its_path_or_the_end_of_it() {
    for name in ["fetch", "inside::fetch", "only::inside::fetch", "overrides::only::inside::fetch"]
    {
        assert!(reaches(name, inside::fetch), "{name}");
        assert!(!reaches(name, inside::prefetch), "{name}");
    }
    for name in ["etch", "inside", "Inside::fetch", "", "::fetch", "fetch::"] {
        assert!(!reaches(name, inside::fetch), "{name}");
    }
}

#[test]
fn a_given_name_takes_the_place_of_the_path() {
    assert!(reaches("orders: fetch", inside::named));
    for name in ["fetch", "named", "inside::named"] {
        assert!(!reaches(name, inside::named), "{name}");
    }
}

#[test]
fn a_method_is_named_with_or_without_its_type() {
    for name in ["get", "Client::get", "only::Client::get"] {
        assert!(reaches(name, || Client.get()), "{name}");
    }
    assert!(!reaches("Of::get", || Client.get()));
    for name in ["get", "Of::get", "only::Of::get"] {
        assert!(reaches(name, || Of(1).get()), "{name}");
    }
    assert!(!reaches("Client::get", || Of(1).get()));
}

#[test]
fn a_trait_method_is_named_by_its_type_or_its_trait() {
    let of_a_trait = |fetch: &dyn Fetch, name| reaches(name, || fetch.fetch());
    for name in ["fetch", "Fetch::fetch", "Client::fetch", "only::Client::fetch"] {
        assert!(of_a_trait(&Client, name), "{name}");
    }
    for name in ["fetch", "Fetch::fetch", "Of::fetch"] {
        assert!(of_a_trait(&Of(1_u8), name), "{name}");
    }
    assert!(!of_a_trait(&Client, "Of::fetch") && !of_a_trait(&Of(1_u8), "Client::fetch"));
    for name in ["provided", "Fetch::provided"] {
        assert!(reaches(name, || Client.provided()), "{name}");
    }
}

#[test]
fn a_block_is_named_by_the_function_around_it_or_its_own_name() {
    fn around() -> Result<(), ()> {
        block!(stop = attempts(4), wait = none(), on = any_error(), || Err(()))
    }
    fn named() -> Result<(), ()> {
        block!(stop = attempts(4), wait = none(), on = any_error(), name = "my block", || Err(()))
    }
    assert!(reaches("around", around) && !reaches("named", around));
    assert!(reaches("my block", named) && !reaches("named", named));
}

#[test]
fn other_functions_look_further_out() {
    let attempts = |f: fn() -> Result<(), ()>| report(f).attempts();
    retry_with().stop(stop::attempts(3)).sync_scope(|| {
        retry_with().stop(stop::attempts(2)).only("prefetch").sync_scope(|| {
            assert_eq!((attempts(inside::fetch), attempts(inside::prefetch)), (3, 2));
        });
    });
    retry_with().stop(stop::attempts(3)).only("prefetch").sync_scope(|| {
        retry_with().stop(stop::attempts(2)).only("fetch").sync_scope(|| {
            assert_eq!((attempts(inside::fetch), attempts(inside::prefetch)), (2, 3));
            assert_eq!(attempts(inside::named), 4);
        });
    });
}

#[test]
fn it_holds_for_every_key() {
    #[retry(stop = attempts(4), wait = none(), on = any_error())]
    fn outer() -> Result<(), ()> {
        inside::fetch()
    }
    let off = retry_with().enabled(false).only("inside::fetch");
    let (_, reports) = record_sync(|| off.sync_scope(outer));
    let attempts: Vec<_> = reports.iter().map(retry::Report::attempts).collect();
    assert_eq!(attempts, [1, 1, 1, 1, 4]);
}

/// What this very test writes to the standard error when it runs in a process of its own, where
/// `scenario` is all that is called.
fn told_by(test: &str, scenario: impl FnOnce()) -> Option<Vec<String>> {
    const ALONE: &str = "RETRY_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        scenario();
        return None;
    }
    let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
    let output = alone.args(["--exact", test]).env(ALONE, "1").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    Some(told.lines().filter(|line| line.contains("only(")).map(str::to_owned).collect())
}

#[test]
fn a_name_that_nothing_has_answered_to_is_told_once() {
    let told = told_by("only::a_name_that_nothing_has_answered_to_is_told_once", || {
        for _ in 0..2 {
            assert!(!reaches("fetsh", inside::fetch));
        }
    });
    let Some(told) = told else { return };
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("only(\"fetsh\")"), "{told:?}");
    assert!(told[0].ends_with("did you mean `fetch`?"), "{told:?}");
}

#[test]
fn a_name_that_something_has_answered_to_is_not_told() {
    let told = told_by("only::a_name_that_something_has_answered_to_is_not_told", || {
        let only = |name| retry_with().enabled(false).only(name);
        // In the scope, and before it.
        only("fetch").sync_scope(|| assert!(inside::fetch().is_err()));
        only("inside::fetch").sync_scope(|| ());
        // An attempt that has not ended, of a task that outlives the scope.
        let [mut task] = only("slow").sync_scope(|| [Box::pin(slow().inherit())]);
        assert!(poll(task.as_mut()).is_pending());
        // One that is never entered overrides nothing on purpose.
        drop(only("nobody"));
        drop(only("no future").scope(async {}));
    });
    assert!(told.is_none_or(|told| told.is_empty()));
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
async fn slow() -> Result<(), ()> {
    std::future::pending().await
}
