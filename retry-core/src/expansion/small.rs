//! Small words that the expansion is written with.

use core::time::Duration;

/// Stands where a value of a type is needed only for that type, in code that is never reached.
#[cold]
pub fn outcome<T>() -> T {
    // Not a panic, whose message would be in every program.
    loop {
        std::thread::park();
    }
}

/// A duration that was written as a literal.
#[inline]
pub const fn duration(secs: u64, nanos: u32) -> Duration {
    Duration::new(secs, nanos)
}

/// The path of a function.
pub fn path_of<F>(_: F) -> &'static str {
    core::any::type_name::<F>()
}
