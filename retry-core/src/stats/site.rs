//! The static identity of one annotated function or block, and what happens to be counted there.

use core::fmt;
use core::time::Duration;

use crate::report::reason::StopReason;
use crate::stats::counters::{Counters, Counts, count};
#[cfg(feature = "metrics")]
use crate::stats::metrics::Meters;
use crate::stats::table::Listed;

/// One annotated function or block.
pub struct Site {
    name: Name,
    counters: &'static Counters,
    listed: Listed,
    #[cfg(feature = "metrics")]
    meters: Meters,
}

#[derive(Clone, Copy)]
enum Name {
    Given(&'static str),
    /// Gives the path of a function inside the annotated one.
    Inside(fn() -> &'static str),
}

impl Site {
    /// A site named by the user.
    pub const fn named(name: &'static str, counters: &'static Counters) -> Self {
        Self::new(Name::Given(name), counters)
    }

    /// A site named after the function that `inside`, which returns its own path, stands in.
    pub const fn around(inside: fn() -> &'static str, counters: &'static Counters) -> Self {
        Self::new(Name::Inside(inside), counters)
    }

    const fn new(name: Name, counters: &'static Counters) -> Self {
        Self {
            name,
            counters,
            listed: Listed::not_yet(),
            #[cfg(feature = "metrics")]
            meters: Meters::new(),
        }
    }

    /// The name, without the parts that only our expansion has put there.
    pub fn name(&self) -> &'static str {
        match self.name {
            Name::Given(name) => name,
            Name::Inside(inside) => {
                let path = inside();
                let path = path.rsplit_once("::").map_or(path, |(around, _)| around);
                let mut path = path;
                while let Some(outside) = path.strip_suffix("::{{closure}}") {
                    path = outside;
                }
                path
            }
        }
    }

    /// Whether `name` is its name, or the end of it after `::`. A method answers to its type and
    /// to its trait, with or without their arguments.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        is_called(self.name(), name)
    }

    /// The first attempt of a call has succeeded.
    #[inline]
    pub fn first_success(&'static self) {
        if self.counters.first_success() {
            self.list();
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counters.read()
    }

    pub(crate) fn listed(&self) -> &Listed {
        &self.listed
    }

    #[cfg(feature = "metrics")]
    pub(crate) fn meters(&self) -> &Meters {
        &self.meters
    }

    #[cold]
    fn list(&'static self) {
        self.listed.list(self);
    }
}

/// Stands where a site is expected and there is something else to say than which.
pub(crate) static NO_SITE: Site = Site::named("", &NOT_COUNTED);
static NOT_COUNTED: Counters = Counters::new();

/// What happens after a failure.
impl Site {
    /// An attempt after the first starts.
    #[cold]
    pub(crate) fn retried(&'static self) {
        count(&self.counters.retries);
        self.list();
    }

    /// A pause has ended.
    #[cold]
    pub(crate) fn waited(&'static self, pause: Duration) {
        self.counters.waited(pause);
        self.list();
    }

    /// A call has ended with a success after retries.
    #[cold]
    pub(crate) fn recovered(&'static self) {
        count(&self.counters.recovered);
        self.list();
    }

    /// A call has ended with a failure. Not for a call that was cancelled, or whose retrying was
    /// switched off.
    #[cold]
    pub(crate) fn gave_up(&'static self, reason: StopReason) {
        self.counters.gave_up(reason);
        self.list();
    }

    /// A call has ended without an outcome, since nobody wanted it any more.
    #[cold]
    pub(crate) fn cancelled(&'static self) {
        count(&self.counters.cancelled);
        self.list();
    }

    /// A call has ended in a panic.
    #[cold]
    pub(crate) fn panicked(&'static self) {
        count(&self.counters.panicked);
        self.list();
    }

    /// A call whose retrying was switched off has ended.
    #[cold]
    pub(crate) fn disabled(&'static self) {
        count(&self.counters.disabled);
        self.list();
    }
}

/// Whether what goes by `own` may be called `name`.
pub(crate) fn is_called(own: &str, name: &str) -> bool {
    let is_end_of = |path: &str| {
        path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
    };
    is_end_of(own) || readings(own).iter().any(|path| is_end_of(path) || is_end_of(&bare(path)))
}

/// `<app::Client as app::Fetch>::get` as `app::Client::get` and `app::Fetch::get`; any other path
/// as it is.
fn readings(path: &str) -> Vec<String> {
    let split = || {
        let inside = path.strip_prefix('<')?;
        let mut open = 1_u32;
        let end = inside.char_indices().find(|&(at, char)| {
            match char {
                '<' => open += 1,
                // Not that of an arrow.
                '>' if !inside[..at].ends_with('-') => open -= 1,
                _ => {}
            }
            open == 0
        });
        let (of, rest) = inside.split_at(end?.0);
        let rest = &rest[1..];
        // The last one: the type may be a projection, the trait is none.
        let (of, by) = of.rsplit_once(" as ")?;
        Some(vec![format!("{of}{rest}"), format!("{by}{rest}")])
    };
    split().unwrap_or_else(|| vec![path.to_owned()])
}

/// A path without the arguments of its types.
fn bare(path: &str) -> String {
    let mut open = 0_u32;
    let keep = |&char: &char| match char {
        '<' => {
            open += 1;
            false
        }
        '>' => {
            open = open.saturating_sub(1);
            false
        }
        _ => open == 0,
    };
    path.chars().filter(keep).collect()
}

impl fmt::Debug for Site {
    /// Neither the numbers nor the sites listed after it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").field("name", &self.name()).finish_non_exhaustive()
    }
}

impl PartialEq for Site {
    /// A site is itself, not what it is called.
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Site {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should say where

    use super::*;
    use std::cell::RefCell;
    use std::thread;

    #[test]
    fn the_name_is_the_path_of_the_function_around() {
        fn inside() -> &'static str {
            core::any::type_name_of_val(&inside)
        }
        static COUNTERS: Counters = Counters::new();
        static SITE: Site = Site::around(inside, &COUNTERS);
        assert_eq!(
            SITE.name(),
            "retry_core::stats::site::tests::the_name_is_the_path_of_the_function_around"
        );
    }

    #[test]
    fn the_name_of_an_async_function_ends_with_its_own_name() {
        static COUNTERS: Counters = Counters::new();
        static SITE: Site =
            Site::around(|| "app::fetch::{{closure}}::{{closure}}::inside", &COUNTERS);
        assert_eq!(SITE.name(), "app::fetch");
    }

    #[test]
    fn a_method_answers_to_its_type_and_its_trait() {
        fn called(own: &'static str, name: &str) -> bool {
            static COUNTERS: Counters = Counters::new();
            Site::named(own, &COUNTERS).is_called(name)
        }
        let method = "<app::Client as app::Fetch>::get";
        for name in [method, "get", "Client::get", "app::Client::get", "Fetch::get"] {
            assert!(called(method, name), "{name}");
        }
        let generic = "<app::Of<_, alloc::vec::Vec<u8>> as app::Fetch<u8>>::get";
        for name in [generic, "Of::get", "app::Of::get", "Fetch::get", "Fetch<u8>::get"] {
            assert!(called(generic, name), "{name}");
        }
        for name in ["Of<_>::get", "et", "Vec::get", "lient::get", "Client", ""] {
            assert!(!called(generic, name), "{name}");
            assert!(!called(method, name), "{name}");
        }
        assert!(called("app::Of<_>::get", "Of::get"));
        assert!(!called("app::other::get", "app::get"));
    }

    #[test]
    fn debug_shows_the_name() {
        static COUNTERS: Counters = Counters::new();
        static SITE: Site = Site::named("fetch", &COUNTERS);
        assert_eq!(format!("{SITE:?}"), r#"Site { name: "fetch", .. }"#);
    }

    #[test]
    fn each_event_is_counted_as_itself() {
        static COUNTERS: Counters = Counters::new();
        static SITE: Site = Site::named("each event", &COUNTERS);
        let times = |n, event: fn()| (0..n).for_each(|_| event());
        times(1, || SITE.first_success());
        times(2, || SITE.retried());
        times(3, || SITE.waited(Duration::from_millis(5)));
        times(4, || SITE.recovered());
        times(5, || SITE.gave_up(StopReason::Permanent));
        times(6, || SITE.gave_up(StopReason::Custom));
        times(7, || SITE.cancelled());
        times(8, || SITE.panicked());
        times(9, || SITE.disabled());
        let mut given_up = [0; StopReason::COUNT];
        given_up[StopReason::Permanent.index()] = 5;
        given_up[StopReason::Custom.index()] = 6;
        let expected = Counts {
            first_try: 1,
            retries: 2,
            waited: Duration::from_millis(15),
            recovered: 4,
            given_up,
            cancelled: 7,
            panicked: 8,
            disabled: 9,
        };
        assert_eq!(SITE.counts(), expected);
    }

    /// Calls the annotated function once more when its thread ends.
    struct CallAtTheEnd(&'static Site);

    impl Drop for CallAtTheEnd {
        fn drop(&mut self) {
            self.0.first_success();
            self.0.retried();
        }
    }

    thread_local! {
        static AT_THE_END: RefCell<Option<CallAtTheEnd>> = const { RefCell::new(None) };
    }

    fn at_the_end(site: &'static Site) {
        AT_THE_END.with_borrow_mut(|call| *call = Some(CallAtTheEnd(site)));
    }

    #[test]
    fn calls_count_in_destructors_of_an_ending_thread_whichever_come_first() {
        static COUNTERS: Counters = Counters::new();
        static SITE: Site = Site::named("ending thread", &COUNTERS);
        let threads: [fn(); 3] = [
            || {
                SITE.first_success();
                at_the_end(&SITE);
            },
            || {
                at_the_end(&SITE);
                SITE.first_success();
            },
            || at_the_end(&SITE),
        ];
        for thread in threads {
            thread::spawn(thread).join().unwrap();
        }
        let counts = SITE.counts();
        assert_eq!((counts.first_try, counts.retries), (5, 3));
    }
}
