//! The number of a thread, which tells it which part of every function's counters is its own.
//!
//! A thread that owns a part can count without a locked instruction. The numbers of threads that
//! have ended are given out again, so that a program which starts many threads, a few at a time,
//! does not run out of them.

use core::cell::Cell;
use core::sync::atomic::Ordering;

use crate::sync::AtomicU64;

/// How many parts there are. Numbers below the last are owned by one thread at a time.
pub(crate) const SLOTS: usize = 32;

/// The number of all threads that own none.
pub(crate) const SHARED: usize = SLOTS - 1;

/// What a thread has before it is asked for its number: no slot at all, so that one comparison
/// with [`SHARED`] tells owners from everyone else.
const NONE_YET: usize = usize::MAX;

static OWNED: Bitmap = Bitmap::new();

thread_local! {
    // Without a destructor: it is read on every call, and stays readable while the thread ends.
    static SLOT: Cell<usize> = const { Cell::new(NONE_YET) };
    // With one, and therefore touched only when a number is given out.
    static LEASE: Lease = const { Lease(Cell::new(SHARED)) };
}

/// The number of this thread if it owns one: below [`SHARED`], and no other thread's until this
/// one ends.
#[inline]
pub(crate) fn owned() -> Option<usize> {
    let slot = SLOT.try_with(Cell::get).unwrap_or(SHARED);
    (slot < SHARED).then_some(slot)
}

/// The number of this thread, or [`SHARED`]; gives one out where there has been none yet.
#[cold]
pub(crate) fn assign() -> usize {
    SLOT.try_with(|slot| {
        if slot.get() == NONE_YET {
            // A thread that is past its lease's destructor could not give a number back.
            slot.set(LEASE.try_with(Lease::take).unwrap_or(SHARED));
        }
        slot.get()
    })
    .unwrap_or(SHARED)
}

/// Gives the number back when the thread ends.
struct Lease(Cell<usize>);

impl Lease {
    fn take(&self) -> usize {
        self.0.set(OWNED.take().unwrap_or(SHARED));
        self.0.get()
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // First of all, since another destructor of this thread may still count.
        let _ = SLOT.try_with(|slot| slot.set(SHARED));
        OWNED.free(self.0.get());
    }
}

/// Which of the numbers below [`SHARED`] are owned by a thread, one bit each.
pub(crate) struct Bitmap(AtomicU64);

impl Bitmap {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// The lowest free number. Acquires what its last owner has counted.
    pub(crate) fn take(&self) -> Option<usize> {
        let mut owned = self.0.load(Ordering::Relaxed);
        loop {
            let slot = owned.trailing_ones() as usize;
            if slot >= SHARED {
                return None;
            }
            let taken = owned | 1 << slot;
            match self.0.compare_exchange_weak(owned, taken, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(slot),
                Err(now) => owned = now,
            }
        }
    }

    /// Releases what the owner has counted, so that the next one counts on from there. Nobody
    /// owns [`SHARED`], whose bit is never set, so freeing it does nothing.
    pub(crate) fn free(&self, slot: usize) {
        self.0.fetch_and(!(1 << slot), Ordering::Release);
    }
}

/// Tests that hold many numbers of the process, or count on free ones, take turns.
#[cfg(test)]
pub(crate) static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should say where

    use super::*;
    use std::collections::HashSet;
    use std::sync::{Barrier, PoisonError};
    use std::thread;

    #[test]
    fn all_numbers_but_the_shared_one_are_given_out_lowest_first() {
        let bitmap = Bitmap::new();
        let given: Vec<_> = std::iter::from_fn(|| bitmap.take()).collect();
        assert_eq!(given, (0..SHARED).collect::<Vec<_>>());
        assert_eq!(bitmap.take(), None);
    }

    #[test]
    fn a_freed_number_is_given_out_again() {
        let bitmap = Bitmap::new();
        while bitmap.take().is_some() {}
        bitmap.free(17);
        bitmap.free(4);
        assert_eq!([bitmap.take(), bitmap.take(), bitmap.take()], [Some(4), Some(17), None]);
    }

    #[test]
    fn freeing_the_shared_number_frees_none() {
        let bitmap = Bitmap::new();
        while bitmap.take().is_some() {}
        bitmap.free(SHARED);
        assert_eq!(bitmap.take(), None);
    }

    #[test]
    fn threads_that_live_at_once_own_different_numbers() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let barrier = Barrier::new(SLOTS + 8);
        let slots: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..SLOTS + 8)
                .map(|_| {
                    scope.spawn(|| {
                        let slot = assign();
                        barrier.wait();
                        slot
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let owned: Vec<_> = slots.iter().filter(|&&slot| slot != SHARED).collect();
        assert!(owned.len() <= SHARED, "{slots:?}");
        assert_eq!(owned.iter().collect::<HashSet<_>>().len(), owned.len(), "{slots:?}");
    }

    #[test]
    fn a_thread_keeps_its_number() {
        thread::spawn(|| {
            assert_eq!(owned(), None);
            let slot = assign();
            assert_eq!(assign(), slot);
            assert_eq!(owned(), (slot != SHARED).then_some(slot));
        })
        .join()
        .unwrap();
    }

    #[test]
    fn numbers_of_ended_threads_are_reused() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let slots: Vec<_> = (0..4 * SLOTS).map(|_| thread::spawn(assign).join().unwrap()).collect();
        // Were they not, the first threads would have used them up.
        assert!(slots[SLOTS..].iter().any(|&slot| slot != SHARED), "{slots:?}");
    }

    #[test]
    fn a_thread_that_has_given_its_number_back_shares() {
        thread::spawn(|| {
            assign();
            let lease = Lease(Cell::new(SHARED));
            lease.take();
            drop(lease);
            assert_eq!((owned(), assign()), (None, SHARED));
        })
        .join()
        .unwrap();
    }
}
