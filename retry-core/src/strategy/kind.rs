//! What a user may write where a strategy or a condition is asked for.

use core::marker::PhantomData;

/// Marks what already is one.
#[derive(Debug)]
pub struct IsValue(());

/// Marks a function that answers `T`.
#[derive(Debug)]
pub struct IsFunction<T>(PhantomData<T>);
