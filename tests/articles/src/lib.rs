//! The tests are beside it. Here is what the first article begins with, and what must not compile: a
//! retry that says neither how often nor how long.
//!
//! ```compile_fail
//! use retry::retry;
//!
//! #[retry]
//! fn fetch() -> std::io::Result<()> { Ok(()) }
//! ```
//!
//! ```compile_fail
//! use retry::retry;
//!
//! #[retry(wait = fixed(1s))]
//! fn fetch() -> std::io::Result<()> { Ok(()) }
//! ```
//!
//! What is missing is the bound, or the word that there is none:
//!
//! ```
//! use retry::retry;
//!
//! #[retry(wait = fixed(1s), stop = attempts(5))]
//! fn fetch() -> std::io::Result<()> { Ok(()) }
//!
//! #[retry(wait = fixed(1s), forever)]
//! fn follow() -> std::io::Result<()> { Ok(()) }
//! # fetch().and(follow()).unwrap();
//! ```
