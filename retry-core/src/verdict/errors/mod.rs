//! [`Transient`](crate::Transient) for errors of other crates, a file each. They live here
//! because the trait does.

mod io;
