//! Which statuses are worth another attempt.

use core::fmt;
use core::time::Duration;

use ::http::{HeaderMap, Method, Response, StatusCode};
use retry_core::Verdict;

use super::error::StatusError;
use super::idempotency::is_idempotent;
use super::retry_after::retry_after;

/// The statuses that pass by themselves: 408, 425, 429, 502, 503 and 504.
///
/// Not 500, which from many servers is a fault that stays; where it is not, add
/// [`with_500`](Statuses::with_500).
///
/// ```
/// use http::StatusCode;
/// use retry::http::{Statuses, statuses};
///
/// static RETRIED: Statuses = statuses::transient().with_500().without(StatusCode::TOO_EARLY);
/// assert!(RETRIED.contains(StatusCode::INTERNAL_SERVER_ERROR));
/// assert!(!RETRIED.contains(StatusCode::NOT_FOUND));
/// assert_eq!(format!("{RETRIED:?}"), "{408, 429, 500, 502, 503, 504}");
/// ```
pub const fn transient() -> Statuses {
    none()
        .with(StatusCode::REQUEST_TIMEOUT)
        .with(StatusCode::TOO_EARLY)
        .with(StatusCode::TOO_MANY_REQUESTS)
        .with(StatusCode::BAD_GATEWAY)
        .with(StatusCode::SERVICE_UNAVAILABLE)
        .with(StatusCode::GATEWAY_TIMEOUT)
}

/// No status at all, to add to.
///
/// ```
/// use http::StatusCode;
/// use retry::http::{Statuses, statuses};
///
/// /// The job is still running.
/// const PENDING: Statuses = statuses::none().with(StatusCode::ACCEPTED);
/// assert!(PENDING.contains(StatusCode::ACCEPTED));
/// ```
pub const fn none() -> Statuses {
    Statuses { bits: [0; WORDS], repeatable: false }
}

/// A set of statuses that are worth another attempt, and what they mean.
///
/// Made by [`transient`] or [`none`], with what is added and removed; all of that also in a `const`. An
/// answer is judged by [`verdict`](Self::verdict), or turned into an error by [`check`](Self::check).
///
/// | status | verdict |
/// |---|---|
/// | not in the set | permanent |
/// | 4xx, 503 | retry: the server has refused the request |
/// | others | ambiguous: the request may have been carried out behind a gateway, or in part; retried where the call is `idempotent`, or for a request that [may be repeated](Self::for_request) |
///
/// 429 and 503 are [throttled](Verdict::throttled) besides, and any of them carries what the server
/// asked for ([`retry_after`](super::retry_after())) as its hint.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub struct Statuses {
    bits: [u64; WORDS],
    repeatable: bool,
}

/// The least and the greatest that a [`StatusCode`] can be.
const FIRST: u16 = 100;
const LAST: u16 = 999;
const WORDS: usize = ((LAST - FIRST) / 64 + 1) as usize;

impl Statuses {
    /// Adds a status. One that has no name is added by [`with_code`](Self::with_code).
    pub const fn with(self, status: StatusCode) -> Self {
        self.set(status, true)
    }

    /// Adds the status of that number, from 100 to 999; others do not compile.
    ///
    /// ```
    /// use retry::http::{Statuses, statuses};
    ///
    /// /// 520 to 524 are Cloudflare's: the server behind it did not answer as it should.
    /// const BEHIND_CLOUDFLARE: Statuses =
    ///     statuses::transient().with_code::<520>().with_code::<522>().with_code::<524>();
    /// ```
    ///
    /// ```compile_fail
    /// let typo = retry::http::statuses::none().with_code::<5020>();
    /// ```
    pub const fn with_code<const CODE: u16>(mut self) -> Self {
        const { assert!(CODE >= FIRST && CODE <= LAST, "a status is a number from 100 to 999") };
        self.bits[word(CODE)] |= bit(CODE);
        self
    }

    /// Adds 500, for servers that answer so to what passes by itself.
    pub const fn with_500(self) -> Self {
        self.with(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Removes a status.
    pub const fn without(self, status: StatusCode) -> Self {
        self.set(status, false)
    }

    /// For requests that are harmless to repeat: what would be ambiguous is retried.
    pub const fn idempotent(mut self) -> Self {
        self.repeatable = true;
        self
    }

    /// For requests with an [idempotency key](super::IdempotencyKey): they may be repeated, and 409 is
    /// added, by which a server says that the first one is still running. 400 and 422 are removed: the
    /// key is missing, or was used for another request, and stays so.
    ///
    /// The statuses are those of the draft *The Idempotency-Key HTTP Header Field*, section 2.7.
    ///
    /// ```
    /// use http::{HeaderMap, StatusCode};
    /// use retry::http::statuses;
    ///
    /// let keyed = statuses::transient().keyed();
    /// let verdict = |status| keyed.verdict_of(status, &HeaderMap::new());
    /// assert!(verdict(StatusCode::CONFLICT).is_retry());
    /// assert!(verdict(StatusCode::GATEWAY_TIMEOUT).is_retry());
    /// assert!(verdict(StatusCode::UNPROCESSABLE_ENTITY).is_final());
    /// ```
    pub const fn keyed(self) -> Self {
        self.idempotent()
            .with(StatusCode::CONFLICT)
            .without(StatusCode::BAD_REQUEST)
            .without(StatusCode::UNPROCESSABLE_ENTITY)
    }

    /// For a request with this method, and with or without an idempotency key: as
    /// [`keyed`](Self::keyed), as [`idempotent`](Self::idempotent) for a method that
    /// [is](is_idempotent()), or as it is.
    ///
    /// It stands in place of the key `idempotent` of the attribute, for answers. What else can go wrong
    /// with a request, such as a timeout, still asks for that key; and with that key alone an attempt
    /// that [was ambiguous](retry_core::Current::was_ambiguous) is known as one.
    ///
    /// ```
    /// use http::{HeaderMap, Method, StatusCode};
    /// use retry::http::statuses;
    ///
    /// let verdict = |method, keyed| {
    ///     let statuses = statuses::transient().for_request(&method, keyed);
    ///     statuses.verdict_of(StatusCode::BAD_GATEWAY, &HeaderMap::new())
    /// };
    /// assert!(verdict(Method::PUT, false).is_retry());
    /// assert!(verdict(Method::POST, false).is_ambiguous());
    /// assert!(verdict(Method::POST, true).is_retry());
    /// ```
    pub fn for_request(self, method: &Method, keyed: bool) -> Self {
        match (keyed, is_idempotent(method)) {
            (true, _) => self.keyed(),
            (false, true) => self.idempotent(),
            (false, false) => self,
        }
    }

    /// Whether the status is in the set.
    pub const fn contains(&self, status: StatusCode) -> bool {
        self.bits[word(status.as_u16())] & bit(status.as_u16()) != 0
    }

    /// What an answer means, by its status and its headers.
    ///
    /// ```
    /// use http::Response;
    /// use retry::http::{Statuses, statuses};
    /// use std::time::Duration;
    ///
    /// const STATUSES: Statuses = statuses::transient();
    ///
    /// let busy = Response::builder().status(429).header("retry-after", "2").body(())?;
    /// let verdict = STATUSES.verdict(&busy);
    /// assert!(verdict.is_retry() && verdict.is_throttled());
    /// assert_eq!(verdict.hint(), Some(Duration::from_secs(2)));
    ///
    /// #[retry::retry(stop = attempts(2), wait = none(), on = ok(|it| STATUSES.verdict(it)))]
    /// fn fetch(calls: &mut u32) -> http::Result<Response<String>> {
    ///     *calls += 1;
    ///     Response::builder().status(503).body(String::new())
    /// }
    /// let mut calls = 0;
    /// assert_eq!(fetch(&mut calls)?.status(), 503); // the answer itself, when it gives up
    /// assert_eq!(calls, 2);
    /// # Ok::<(), http::Error>(())
    /// ```
    pub fn verdict<B>(&self, response: &Response<B>) -> Verdict {
        self.verdict_of(response.status(), response.headers())
    }

    /// The same as [`verdict`](Self::verdict) for an answer of another type, such as that of a client.
    pub fn verdict_of(&self, status: StatusCode, headers: &HeaderMap) -> Verdict {
        // The usual answer needs no look at its headers, nor at the clock.
        if self.contains(status) {
            self.judge(status, retry_after(headers))
        } else {
            Verdict::Final
        }
    }

    /// The same as [`verdict`](Self::verdict) where the wait that the server asked for is known from
    /// elsewhere.
    ///
    /// ```
    /// use http::StatusCode;
    /// use retry::http::statuses;
    /// use std::time::Duration;
    ///
    /// // The limit of this service is counted by the minute, and its answer does not say so.
    /// let minute = Some(Duration::from_secs(60));
    /// let verdict = statuses::transient().judge(StatusCode::TOO_MANY_REQUESTS, minute);
    /// assert_eq!(verdict.hint(), minute);
    /// ```
    pub fn judge(&self, status: StatusCode, hint: Option<Duration>) -> Verdict {
        if !self.contains(status) {
            return Verdict::Final;
        }
        let busy =
            matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let refused = status.is_client_error() || busy;
        let verdict = if refused || self.repeatable { Verdict::Retry } else { Verdict::Ambiguous };
        let verdict = if busy { verdict.throttled() } else { verdict };
        hint.map_or(verdict, |wait| verdict.retry_after(wait))
    }

    /// The answer if it is good; otherwise its status as an error, which knows what it means.
    ///
    /// A status is not good if it is a 4xx or 5xx, or in the set. The rest of the answer is dropped.
    ///
    /// ```
    /// use http::Response;
    /// use retry::http::{StatusError, statuses};
    /// use retry::retry;
    ///
    /// # fn send(calls: u32) -> Response<&'static str> {
    /// #     let mut response = Response::new(if calls < 3 { "busy" } else { "seven" });
    /// #     if calls < 3 { *response.status_mut() = http::StatusCode::SERVICE_UNAVAILABLE; }
    /// #     response
    /// # }
    /// // Without `on`: the error knows.
    /// #[retry(stop = attempts(5), wait = none())]
    /// fn fetch(calls: &mut u32) -> Result<String, StatusError> {
    ///     *calls += 1;
    ///     let response = statuses::transient().check(send(*calls))?;
    ///     Ok(response.into_body().to_owned())
    /// }
    /// assert_eq!(fetch(&mut 0)?, "seven");
    /// # Ok::<(), StatusError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The status, if it is not good.
    pub fn check<B>(&self, response: Response<B>) -> Result<Response<B>, StatusError> {
        match self.check_of(response.status(), response.headers()) {
            Ok(()) => Ok(response),
            Err(error) => Err(error),
        }
    }

    /// The same as [`check`](Self::check) for an answer of another type, such as that of a client.
    ///
    /// # Errors
    ///
    /// The status, if it is not good.
    pub fn check_of(&self, status: StatusCode, headers: &HeaderMap) -> Result<(), StatusError> {
        if status.is_client_error() || status.is_server_error() || self.contains(status) {
            return Err(StatusError::new(status, self.verdict_of(status, headers)));
        }
        Ok(())
    }

    const fn set(mut self, status: StatusCode, is_in: bool) -> Self {
        let (word, bit) = (word(status.as_u16()), bit(status.as_u16()));
        if is_in {
            self.bits[word] |= bit;
        } else {
            self.bits[word] &= !bit;
        }
        self
    }
}

const fn word(code: u16) -> usize {
    ((code - FIRST) / 64) as usize
}

const fn bit(code: u16) -> u64 {
    1 << ((code - FIRST) % 64)
}

impl fmt::Debug for Statuses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_in = |code: &u16| self.bits[word(*code)] & bit(*code) != 0;
        f.debug_set().entries((FIRST..=LAST).filter(is_in)).finish()?;
        if self.repeatable { f.write_str(".idempotent()") } else { Ok(()) }
    }
}
