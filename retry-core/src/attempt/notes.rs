//! What the body has said about its attempt, and the identity of its call.

use crate::Instant;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::attempt::call_id::CallId;
use crate::verdict::verdict::Verdict;

/// Shared with the [`Current`](crate::Current)s that the body has taken.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    id: OnceLock<CallId>,
    said: Mutex<Said>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Said {
    /// The attempt in which it was said.
    attempt: u32,
    /// By a mark on an error, whose type has this name: holds for a failure only.
    pub(crate) marked: Option<(&'static str, Verdict)>,
    /// By `overrule`: holds for any outcome, and over a mark.
    pub(crate) overruled: Option<Verdict>,
    pub(crate) progress: bool,
    /// When it was last said that the attempt has got somewhere.
    moved_at: Option<Instant>,
}

impl Notes {
    pub(crate) fn id(&self) -> CallId {
        *self.id.get_or_init(CallId::random)
    }

    /// What has been said in this attempt.
    pub(crate) fn say(&self, attempt: u32, say: impl FnOnce(&mut Said)) {
        let mut said = self.lock();
        if said.attempt != attempt {
            // A handle from an attempt that is over has nothing to say about a later one.
            if said.attempt > attempt {
                return;
            }
            *said = Said { attempt, ..Said::default() };
        }
        say(&mut said);
    }

    /// Whether the body has said in this attempt that it got somewhere.
    pub(crate) fn has_progress(&self, attempt: u32) -> bool {
        let said = self.lock();
        said.attempt == attempt && said.progress
    }

    /// This attempt has got somewhere by `now`. Answers whether that is news.
    pub(crate) fn progress(&self, attempt: u32, now: Instant) -> bool {
        let mut is_news = false;
        self.say(attempt, |said| {
            is_news = !core::mem::replace(&mut said.progress, true);
            said.moved_at = Some(now);
        });
        is_news
    }

    /// When this attempt last got somewhere.
    pub(crate) fn moved_at(&self, attempt: u32) -> Option<Instant> {
        let said = self.lock();
        said.moved_at.filter(|_| said.attempt == attempt)
    }

    /// Takes what was said in this attempt, after which nothing more can be said about it.
    pub(crate) fn take(&self, attempt: u32) -> Said {
        let mut said = self.lock();
        let over = Said { attempt: attempt.saturating_add(1), ..Said::default() };
        let taken = core::mem::replace(&mut *said, over);
        if taken.attempt == attempt { taken } else { Said::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
