//! Tokens → typed trees: each is read once, and a reader rejects only what it cannot read.

pub(crate) mod condition;
pub(crate) mod duration;
pub(crate) mod foreign;
pub(crate) mod held;
pub(crate) mod item;
pub(crate) mod keys;
mod not_a_function;
pub(crate) mod number;
mod readers;
mod separators;
pub(crate) mod source;
pub(crate) mod strategy;
pub(crate) mod tokens;
mod unknown;

pub(crate) use separators::{ends, equals};
pub(crate) use source::short;
pub(crate) use unknown::snake;
