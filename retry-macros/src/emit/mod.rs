//! Typed trees → tokens.

mod above;
mod answers;
pub(crate) mod block;
mod call;
mod capture;
mod clones;
pub(crate) mod function;
pub(crate) mod guards;
pub(crate) mod hooks;
mod judge;
mod next;
mod pause;
pub(crate) mod policy;
pub(crate) mod private;
mod retry_error;
mod site;
mod steering;
mod strategy;
