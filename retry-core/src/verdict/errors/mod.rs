//! [`Transient`](crate::Transient) for errors of other crates, a file each. They live here
//! because the trait does.

mod io;
// Its client in a browser does not tell the phases apart.
#[cfg(all(feature = "reqwest", not(all(target_family = "wasm", target_os = "unknown"))))]
mod reqwest;
