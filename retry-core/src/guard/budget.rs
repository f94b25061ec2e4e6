//! How many retries all calls to one dependency may make together.

use core::fmt;
use core::sync::atomic::Ordering::Relaxed;

use crate::sync::AtomicU64;

/// A budget of retries, shared by all calls to one dependency: one `static` for each.
///
/// It holds tokens. A retry takes some before it is made and is refused where too few are left;
/// every success brings some back; a first attempt takes none. So while most calls succeed, every
/// failure may be retried, and in an outage the retries end by themselves, after what the budget
/// held, instead of multiplying the load of a dependency that is down. The key `budget` asks it; the
/// guide says [for what, and how large](guide/when_the_other_side_is_down/index.html).
///
/// | | tokens | set by |
/// |---|---|---|
/// | a retry takes | 14 | [`cost`](Self::cost) |
/// | a retry after a throttled verdict takes | 5 | [`throttled_cost`](Self::throttled_cost) |
/// | a success of the first attempt brings | 1 | [`refill`](Self::refill) |
/// | a success after retries brings | what the last retry took | |
/// | a failure brings | 0 | |
/// | there are at first | 70, or the size where that is less | [`initial`](Self::initial) |
///
/// These are the figures of the AWS SDKs' [retry quota], but for the first filling, which is the
/// whole size of 500 there. The tokens never leave 0 to the size. Time plays no part: a budget
/// without traffic stays as it is, and an empty one recovers by 14 successes for each retry.
///
/// ```
/// use retry::Budget;
///
/// static INVENTORY: Budget = Budget::new(160);
///
/// assert_eq!(INVENTORY.available(), 70);
/// let mut spent = INVENTORY.try_spend(false).expect("there are tokens left");
/// assert_eq!(INVENTORY.available(), 56);
/// spent.made(); // the retry starts
/// spent.succeeded();
/// assert_eq!(INVENTORY.available(), 70);
/// ```
///
/// # How large
///
/// In an outage a full budget lets size / 14 retries through and then no more, so it is large enough
/// where that bridges the failures of a moment, and small enough where it is few beside the calls
/// that one process makes during an outage:
///
/// | size | retries from full | sent per call in a minute of outage, at 1,000 calls/s | at 2 calls/s |
/// |---|---|---|---|
/// | 70 | 5 | 1.0001 | 1.04 |
/// | 160 | 11 | 1.0002 | 1.09 |
/// | 500 | 35 | 1.0006 | 1.29 |
///
/// A large size buys little: what carries a budget through errors that do not stop is what the
/// successes bring. While one call in ten fails, that is more than the retries take.
///
/// The first filling is for the process that has just started. With all of a size of 500, one that
/// lives for ten calls could answer an outage with 35 retries. 70 tokens are five of them.
///
/// [retry quota]: https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
pub struct Budget {
    /// The retries let through so far above the tokens, so that one operation changes both.
    word: AtomicU64,
    refused: AtomicU64,
    size: u32,
    cost: u32,
    throttled_cost: u32,
    refill: u32,
}

/// How many bits of the word are tokens. The others count 17 million million retries.
const TOKEN_BITS: u32 = 20;
const TOKENS: u64 = (1 << TOKEN_BITS) - 1;
const ONE_RETRY: u64 = 1 << TOKEN_BITS;

#[allow(clippy::cast_possible_truncation)] // 20 bits of it
const fn tokens(word: u64) -> u32 {
    (word & TOKENS) as u32
}

const fn at_least(least: u32, n: u32) -> u32 {
    if n < least { least } else { n }
}

const fn at_most(most: u32, n: u32) -> u32 {
    if n > most { most } else { n }
}

impl Budget {
    /// The largest size there is: 1,048,575 tokens.
    #[allow(clippy::cast_possible_truncation)] // 20 bits of it
    pub const MAX_SIZE: u32 = TOKENS as u32;

    /// A budget that holds at most `size` tokens; see [how large](Self#how-large).
    ///
    /// Above [`MAX_SIZE`](Self::MAX_SIZE) it is that. Below the cost of a retry, 0 included, no retry
    /// is let through.
    pub const fn new(size: u32) -> Self {
        let size = at_most(Self::MAX_SIZE, size);
        Self {
            word: AtomicU64::new(at_most(size, 70) as u64),
            refused: AtomicU64::new(0),
            size,
            cost: 14,
            throttled_cost: 5,
            refill: 1,
        }
    }

    /// How many tokens there are at first, at most the size; 70 unless given.
    ///
    /// Zero makes the first retry wait until successes have paid for it.
    ///
    /// ```
    /// use retry::Budget;
    ///
    /// static BUDGET: Budget = Budget::new(160).initial(0);
    /// assert!(BUDGET.try_spend(false).is_none());
    /// ```
    pub const fn initial(mut self, tokens: u32) -> Self {
        let word = AtomicU64::new(at_most(self.size, tokens) as u64);
        // A plain assignment would drop the old one, which a `const fn` cannot do with a model's.
        #[allow(clippy::forget_non_drop)]
        core::mem::forget(core::mem::replace(&mut self.word, word));
        self
    }

    /// What a retry takes: 14 tokens unless given, at least 1.
    ///
    /// With a refill of 1, this is how many calls must succeed for one retry of a call that fails in
    /// the end.
    ///
    /// ```
    /// use retry::Budget;
    ///
    /// static BUDGET: Budget = Budget::new(100).cost(10);
    /// assert_eq!(BUDGET.try_spend(false).map(|spent| spent.cost()), Some(10));
    /// ```
    pub const fn cost(mut self, tokens: u32) -> Self {
        self.cost = at_least(1, tokens);
        self
    }

    /// What a retry after a throttled verdict takes: 5 tokens unless given, at least 1.
    ///
    /// Less than another, since the other side has said that it is alive, and when to come back.
    ///
    /// ```
    /// use retry::Budget;
    ///
    /// static BUDGET: Budget = Budget::new(100).throttled_cost(2);
    /// assert_eq!(BUDGET.try_spend(true).map(|spent| spent.cost()), Some(2));
    /// ```
    pub const fn throttled_cost(mut self, tokens: u32) -> Self {
        self.throttled_cost = at_least(1, tokens);
        self
    }

    /// What a success of the first attempt brings: 1 token unless given, at least 1, since an empty
    /// budget recovers by nothing else.
    ///
    /// ```
    /// use retry::Budget;
    ///
    /// static BUDGET: Budget = Budget::new(100).initial(0).refill(3);
    /// BUDGET.succeeded();
    /// assert_eq!(BUDGET.available(), 3);
    /// ```
    pub const fn refill(mut self, tokens: u32) -> Self {
        self.refill = at_least(1, tokens);
        self
    }

    /// Takes what a retry costs, `throttled` if the other side is overloaded: `None` where too few
    /// tokens are left. One atomic operation; nobody ever waits for tokens.
    ///
    /// Asked after the failure and before the sleep, so that a call which may not be retried ends at
    /// once. See [`Spent`] for what follows.
    pub fn try_spend(&self, throttled: bool) -> Option<Spent<'_>> {
        let cost = if throttled { self.throttled_cost } else { self.cost };
        let spend = |word: u64| {
            (tokens(word) >= cost).then(|| (word - u64::from(cost)).wrapping_add(ONE_RETRY))
        };
        if self.word.fetch_update(Relaxed, Relaxed, spend).is_ok() {
            return Some(Spent { budget: self, cost, made: false });
        }
        self.refused.fetch_add(1, Relaxed);
        None
    }

    /// A call has succeeded with its first attempt. One atomic operation at most; on a full budget it
    /// writes nothing.
    #[inline]
    pub fn succeeded(&self) {
        // Most are full most of the time.
        if tokens(self.word.load(Relaxed)) < self.size {
            self.give(self.refill);
        }
    }

    fn give(&self, given: u32) {
        let _ = self.word.fetch_update(Relaxed, Relaxed, |word| {
            let given = given.min(self.size - tokens(word));
            (given > 0).then_some(word + u64::from(given))
        });
    }

    /// The tokens there are, from 0 to the [`size`](Self::size).
    pub fn available(&self) -> u32 {
        tokens(self.word.load(Relaxed))
    }

    /// The most tokens it holds.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// How many retries it has let through, counting those that were cancelled before they were made.
    pub fn admitted(&self) -> u64 {
        self.word.load(Relaxed) >> TOKEN_BITS
    }

    /// How many retries it has refused.
    pub fn refused(&self) -> u64 {
        self.refused.load(Relaxed)
    }
}

/// As in `54 of 160 tokens, 9 retries admitted, 2 refused`.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.word.load(Relaxed);
        let (available, admitted) = (tokens(word), word >> TOKEN_BITS);
        let retries = if admitted == 1 { "retry" } else { "retries" };
        let (size, refused) = (self.size, self.refused());
        write!(f, "{available} of {size} tokens, {admitted} {retries} admitted, {refused} refused")
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("available", &self.available())
            .field("size", &self.size)
            .field("cost", &self.cost)
            .field("throttled_cost", &self.throttled_cost)
            .field("refill", &self.refill)
            .field("admitted", &self.admitted())
            .field("refused", &self.refused())
            .finish_non_exhaustive()
    }
}

/// What one retry has taken from a [`Budget`].
///
/// Say when the retry is [made](Self::made) and when its call has [succeeded](Self::succeeded).
/// Dropped before it was made, as when the call is cancelled during the sleep, it gives everything
/// back: nothing was sent. Dropped after, it gives nothing back, whether the attempt failed or was
/// cancelled: the other side has had the load.
#[must_use = "dropped, it gives the tokens back"]
pub struct Spent<'a> {
    budget: &'a Budget,
    cost: u32,
    made: bool,
}

impl Spent<'_> {
    /// The retry starts. From here on only a success brings tokens back.
    pub fn made(&mut self) {
        self.made = true;
    }

    /// The retry was made, and the call has succeeded with it: gives back what it took.
    pub fn succeeded(mut self) {
        self.made = false;
    }

    /// How many tokens it took.
    pub const fn cost(&self) -> u32 {
        self.cost
    }
}

impl Drop for Spent<'_> {
    fn drop(&mut self) {
        if !self.made {
            self.budget.give(self.cost);
        }
    }
}

impl fmt::Debug for Spent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cost, made, .. } = self;
        f.debug_struct("Spent").field("cost", cost).field("made", made).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
