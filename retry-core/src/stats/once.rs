//! What is told once in the life of a process.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What has been told, by places in memory.
pub(crate) struct Once<const N: usize>(Mutex<Vec<[usize; N]>>);

impl<const N: usize> Once<N> {
    /// Nothing yet.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Whether it has been told.
    #[cfg_attr(not(feature = "tokio"), allow(dead_code))]
    pub(crate) fn knows(&self, places: [usize; N]) -> bool {
        self.told().contains(&places)
    }

    /// Whether this is the first time that it is told.
    pub(crate) fn is_news(&self, places: [usize; N]) -> bool {
        let mut told = self.told();
        let is_news = !told.contains(&places);
        if is_news {
            told.push(places);
        }
        is_news
    }

    fn told(&self) -> MutexGuard<'_, Vec<[usize; N]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
