#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

#[cfg(retry_loom)]
mod loom;
#[cfg(not(retry_loom))]
mod model;
#[cfg(not(retry_loom))]
mod rules;
