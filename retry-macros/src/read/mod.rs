//! Tokens → typed trees: each is read once, and a reader rejects only what it cannot read.

pub(crate) mod condition;
pub(crate) mod duration;
pub(crate) mod held;
pub(crate) mod item;
pub(crate) mod keys;
pub(crate) mod number;
mod readers;
pub(crate) mod strategy;
pub(crate) mod tokens;
