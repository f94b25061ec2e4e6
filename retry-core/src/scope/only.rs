//! Which function overrides are for, and what is told where there is none of that name.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::stats::registry;
use crate::stats::site::Site;
use crate::text::{list, similar};

/// The name of the function that overrides are for.
#[derive(Clone, Debug)]
pub(crate) struct Only {
    name: String,
    /// Whether a call under these overrides, or a clone of them, has answered to it.
    answered: Arc<AtomicBool>,
}

/// How many functions are named beside one that there is not.
const NAMED: usize = 5;

impl Only {
    pub(crate) fn new(name: String) -> Self {
        Self { name, answered: Arc::default() }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn is(&self, site: &Site) -> bool {
        let is = site.is_called(&self.name);
        if is {
            self.answered.store(true, Relaxed);
        }
        is
    }

    /// Told at the end of the scope: that the name is nobody's, once in a process. It goes past what
    /// captures the output of tests, for the test may well pass: it only waits for real, or proves
    /// nothing. A build without debug assertions is no test, and says nothing.
    pub(crate) fn end(&self) {
        static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
        if !cfg!(debug_assertions)
            || self.answered.load(Relaxed)
            || registry::all().any(|site| site.is_called(&self.name))
        {
            return;
        }
        let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.contains(&self.name) {
            told.push(self.name.clone());
            let text = unanswered(&self.name, &registry::all().collect::<Vec<_>>());
            // There is nobody to tell that nothing can be told.
            let _ = writeln!(io::stderr(), "{text}");
        }
    }
}

fn unanswered(name: &str, sites: &[&Site]) -> String {
    let alike: Vec<_> = sites.iter().flat_map(|site| site.answers_like(name)).collect();
    let meant = match similar(name, alike.iter().map(String::as_str)) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None if (1..=NAMED).contains(&sites.len()) => {
            let mut known: Vec<_> = sites.iter().map(|site| site.name()).collect();
            known.sort_unstable();
            format!("; there are {}", list(known))
        }
        None => String::new(),
    };
    format!(
        "warning: `retry_with().only({name:?})` has overridden nothing: no retried function that has \
         run answers to this name{meant}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::counters::Counters;

    static COUNTERS: Counters = Counters::new();
    static FETCH: Site = Site::named("app::orders::fetch", &COUNTERS);
    static GET: Site = Site::named("<app::Client as app::Fetch>::get", &COUNTERS);

    #[test]
    fn a_name_that_is_nobodys_is_told_with_the_one_that_may_be_meant() {
        let ends_with = |name: &str, end: &str| {
            let text = unanswered(name, &[&FETCH, &GET]);
            assert!(text.contains(&format!("only({name:?})")), "{text}");
            assert!(text.ends_with(end), "{text}");
        };
        ends_with("fetsh", "; did you mean `fetch`?");
        ends_with("order::fetch", "; did you mean `orders::fetch`?");
        ends_with("Client::gte", "; did you mean `Client::get`?");
        let both = "; there are `<app::Client as app::Fetch>::get`, `app::orders::fetch`";
        ends_with("upload", both);
        assert!(unanswered("fetch", &[]).ends_with("answers to this name"));
        assert!(unanswered("upload", &[&FETCH; 6]).ends_with("answers to this name"));
    }
}
