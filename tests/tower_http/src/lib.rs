//! Nothing but tests, in `tests`.
