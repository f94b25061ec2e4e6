#![allow(clippy::unwrap_used, clippy::panic)] // a test that cannot go on should say where

#[cfg(retry_loom)]
mod loom;
#[cfg(not(retry_loom))]
mod model;
#[cfg(not(retry_loom))]
mod rules;
#[cfg(not(retry_loom))]
mod threads;
