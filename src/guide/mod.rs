//! The guide: how to use this crate, by situation.
//!
//! | | chapter | read it when |
//! |---|---|---|
//! | 1 | [`getting_started`] | this is your first retry |
//! | 2 | [`choosing_stop_wait_on`] | you want to know which numbers to write, and why |
//! | 3 | [`limits_in_time`] | a call, an attempt or several calls must be over in time, or are cancelled |
//! | 4 | [`when_the_other_side_is_down`] | many calls fail together, and retrying makes it worse |
//! | 5 | [`blocks_and_schedules`] | a part of a function is retried, or a loop does other things while it waits |
//! | 6 | [`polling_until_ready`] | nothing has failed, it is just not ready yet |
//! | 7 | [`long_lived_links`] | a connection should always be up, and a failure after hours is a first one |
//! | 8 | [`testing`] | a test should not sleep, and should say how often and how long it was retried |
//! | 9 | [`observing`] | you want to see what was retried and why it ended, in logs, numbers or code |
//! | 10 | [`http`](mod@http) | you call a server, and want to know which answers to retry and which requests to repeat |
//! | 11 | [`databases`] | a driver blocks its thread, a transaction has to be done again |
//! | 12 | [`a_whole_service`] | you build a service, and ask which part stands where |
//! | 13 | [`recipes`] | you want a particular thing done: a shutdown, several hosts, a herd of cron jobs |
//! | 14 | [`faq`] | something does not compile, or does not do what you thought |
//! | 15 | [`coming_from`] | you know tenacity, stamina, backon, backoff or tokio-retry |
//! | 16 | [`reference`](mod@reference) | you look for a key, a strategy or a condition |
//!
//! Every piece of Rust in it is compiled and run by the tests of this crate.

// The chapters name each other's files; where they are modules, `links.md` says so, since of a link the
// first definition wins.

#[doc = include_str!("links.md")]
#[doc = include_str!("getting_started.md")]
pub mod getting_started {}

#[doc = include_str!("links.md")]
#[doc = include_str!("choosing_stop_wait_on.md")]
pub mod choosing_stop_wait_on {}

#[doc = include_str!("links.md")]
#[doc = include_str!("limits_in_time.md")]
pub mod limits_in_time {}

#[doc = include_str!("links.md")]
#[doc = include_str!("when_the_other_side_is_down.md")]
pub mod when_the_other_side_is_down {}

#[doc = include_str!("links.md")]
#[doc = include_str!("blocks_and_schedules.md")]
pub mod blocks_and_schedules {}

#[doc = include_str!("links.md")]
#[doc = include_str!("polling_until_ready.md")]
pub mod polling_until_ready {}

#[doc = include_str!("links.md")]
#[doc = include_str!("long_lived_links.md")]
pub mod long_lived_links {}

#[doc = include_str!("links.md")]
#[doc = include_str!("testing.md")]
pub mod testing {}

#[doc = include_str!("links.md")]
#[doc = include_str!("observing.md")]
pub mod observing {}

#[cfg_attr(feature = "http", doc = include_str!("links.md"))]
#[cfg_attr(feature = "http", doc = include_str!("http.md"))]
#[cfg_attr(
    not(feature = "http"),
    doc = "The chapter is about the feature `http`, and comes with it."
)]
pub mod http {}

#[doc = include_str!("links.md")]
#[doc = include_str!("databases.md")]
pub mod databases {}

#[cfg_attr(feature = "serde", doc = include_str!("links.md"))]
#[cfg_attr(feature = "serde", doc = include_str!("a_whole_service.md"))]
#[cfg_attr(
    not(feature = "serde"),
    doc = "The chapter reads a configuration, and comes with the feature `serde`."
)]
pub mod a_whole_service {}

#[doc = include_str!("links.md")]
#[doc = include_str!("recipes.md")]
pub mod recipes {}

#[doc = include_str!("links.md")]
#[doc = include_str!("faq.md")]
pub mod faq {}

#[doc = include_str!("links.md")]
#[doc = include_str!("coming_from.md")]
pub mod coming_from {}

#[doc = include_str!("links.md")]
#[doc = include_str!("reference.md")]
pub mod reference {}
