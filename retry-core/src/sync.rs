//! What the parts that threads share are made of: the standard library's atomics and mutex, and in a
//! model those of loom, which run every order in which threads can meet.
//!
//! A model is a test whose name starts with `loom`:
//!
//! ```text
//! RUSTFLAGS="--cfg retry_loom" cargo test -p retry-core --release --lib --target-dir target/loom loom
//! ```

#[cfg(not(all(test, retry_loom)))]
pub(crate) use core::sync::atomic::{AtomicU64, fence};
#[cfg(not(all(test, retry_loom)))]
pub(crate) use std::sync::{Mutex, MutexGuard};

#[cfg(all(test, retry_loom))]
pub(crate) use loom::sync::{MutexGuard, atomic::fence};
#[cfg(all(test, retry_loom))]
pub(crate) use modelled::{AtomicU64, Mutex};

/// Waits for the lock. What a panic has left behind is as good as anything: nothing here panics
/// while it holds one.
pub(crate) fn lock<T: Clone>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Takes the lock if nobody has it.
pub(crate) fn try_lock<T: Clone>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(std::sync::TryLockError::WouldBlock) => None,
    }
}

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
    pub(crate) type Mutex<T> = Modelled<T, loom::sync::Mutex<T>>;

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

    impl<T: Clone> Deref for Mutex<T> {
        type Target = loom::sync::Mutex<T>;

        fn deref(&self) -> &Self::Target {
            self.loom.get_or_init(|| loom::sync::Mutex::new(self.value.clone()))
        }
    }
}
