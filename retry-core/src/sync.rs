//! What lock-free parts are made of: the standard library's atomics, and in a model those of loom,
//! which run every order in which threads can meet.
//!
//! A model is a test whose name starts with `loom`:
//!
//! ```text
//! RUSTFLAGS="--cfg retry_loom" cargo test -p retry-core --release --lib --target-dir target/loom loom
//! ```

#[cfg(not(all(test, retry_loom)))]
pub(crate) use core::sync::atomic::AtomicU64;

#[cfg(all(test, retry_loom))]
pub(crate) use modelled::AtomicU64;

/// loom's own are made while a model runs and by no `const fn`. These can be: they become loom's
/// when they are first used. A model must use each once before it starts its threads, since loom
/// lets no thread find one that another has just made; and it makes its own, never a `static`.
#[cfg(all(test, retry_loom))]
mod modelled {
    use core::ops::Deref;
    use std::sync::OnceLock;

    #[derive(Debug)]
    pub(crate) struct Modelled<V, L> {
        value: V,
        loom: OnceLock<L>,
    }

    pub(crate) type AtomicU64 = Modelled<u64, loom::sync::atomic::AtomicU64>;

    impl<V, L> Modelled<V, L> {
        pub(crate) const fn new(value: V) -> Self {
            Self { value, loom: OnceLock::new() }
        }
    }

    impl Deref for AtomicU64 {
        type Target = loom::sync::atomic::AtomicU64;

        fn deref(&self) -> &Self::Target {
            self.loom.get_or_init(|| loom::sync::atomic::AtomicU64::new(self.value))
        }
    }
}
