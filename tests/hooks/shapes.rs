//! Hooks on every shape of function.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use async_trait::async_trait;
use retry::{Attempt, Report, retry, retry_with};

use crate::peer::{Busy, Outcome, Peer, jot_outcome, jotted};
use crate::support::ms;

mod arguments;
mod blocks;
mod boxed;
mod generics;
mod macros;
mod methods;
mod outputs;
mod stacked;
