//! Tokens → typed trees.

pub(crate) mod condition;
pub(crate) mod duration;
pub(crate) mod item;
pub(crate) mod keys;
pub(crate) mod strategy;
pub(crate) mod tokens;
