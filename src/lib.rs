//! placeholder, replaced with the macros

#[doc(hidden)]
pub use retry_core::__private;
pub use retry_core::{
    Delay, NoValue, On, Outcome, State, Stop, StopReason, Transient, Verdict, Wait, on, stop, wait,
};

pub use retry_macros::{block, retry};
