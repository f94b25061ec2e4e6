//! Which requests may be sent twice.

use core::error::Error;
use core::fmt;

use ::http::{HeaderName, HeaderValue, Method};

/// Whether a request with this method may be sent twice, as RFC 9110, section 9.2.2, has it: `GET`,
/// `HEAD`, `PUT`, `DELETE`, `OPTIONS` and `TRACE`.
///
/// So is what the crate `http` knows as such from later standards (`QUERY`), in the version that is
/// built. `POST`, `PATCH` and methods of your own are not; with an [`IdempotencyKey`] a server that
/// knows such keys carries them out once.
///
/// ```
/// use http::Method;
/// use retry::http::is_idempotent;
///
/// assert!(is_idempotent(&Method::DELETE));
/// assert!(!is_idempotent(&Method::POST));
/// ```
pub fn is_idempotent(method: &Method) -> bool {
    method.is_idempotent()
}

/// The name of the header that an [`IdempotencyKey`] goes into, `Idempotency-Key`.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// By which a server knows a request again that it has carried out already.
///
/// A key belongs to one logical request: every attempt must carry the same one, and another request
/// another one. [`of_call`](Self::of_call) is one for each retried call; where a request must not be
/// carried out twice even if the program was started anew in between, take one that is stored
/// ([`new`](Self::new)), such as the number of the order.
///
/// ```
/// use http::{Method, Request, StatusCode};
/// use retry::http::{IDEMPOTENCY_KEY, IdempotencyKey, StatusError, statuses};
/// use retry::retry;
///
/// # fn send(request: Request<u64>, keys: &mut Vec<String>) -> http::Response<()> {
/// #     let mut response = http::Response::new(());
/// #     *response.status_mut() = StatusCode::GATEWAY_TIMEOUT;
/// #     keys.extend(request.headers()[IDEMPOTENCY_KEY].to_str().map(String::from));
/// #     response
/// # }
/// #[retry(stop = attempts(3), wait = none())]
/// fn charge(cents: u64, keys: &mut Vec<String>) -> Result<(), StatusError> {
///     let key = IdempotencyKey::of_call();
///     let mut request = Request::new(cents);
///     *request.method_mut() = Method::POST;
///     if let Some(key) = &key {
///         request.headers_mut().insert(IDEMPOTENCY_KEY, key.into());
///     }
///     let statuses = statuses::transient().for_request(request.method(), key.is_some());
///     statuses.check(send(request, keys))?;
///     Ok(())
/// }
///
/// let mut keys = Vec::new();
/// assert!(charge(500, &mut keys).is_err());
/// assert!(keys.len() == 3 && keys[0] == keys[2]);
/// ```
///
/// The key is sent as it is, which is what most servers take. One that goes by the letter of the
/// draft wants it in double quotes, which then belong to the key: `"\"order-7\""`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(HeaderValue);

impl IdempotencyKey {
    /// The [id](retry_core::Current::call_id) of the retried call that this code runs in, the same in
    /// each of its attempts; `None` outside of one.
    pub fn of_call() -> Option<Self> {
        Self::new(&retry_core::current()?.call_id().to_string()).ok()
    }

    /// A key of your own, of visible ASCII characters and spaces between them.
    ///
    /// ```
    /// use retry::http::IdempotencyKey;
    ///
    /// assert_eq!(IdempotencyKey::new("order-7")?.as_str(), "order-7");
    /// let error = IdempotencyKey::new("order-7\n").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "an idempotency key cannot hold the control character '\\n' (at byte 7)",
    /// );
    /// # Ok::<(), retry::http::InvalidKey>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If it is empty, starts or ends with a space, which is lost on its way, or has a character in it
    /// that is a control character or not ASCII: what a header cannot carry unchanged.
    pub fn new(key: &str) -> Result<Self, InvalidKey> {
        check(key)?;
        let value = HeaderValue::from_str(key).map_err(|_| InvalidKey(Fault::Unsendable))?;
        Ok(Self(value))
    }

    /// The key as it is sent.
    pub fn as_str(&self) -> &str {
        // It was made of a `str` of visible ASCII.
        self.0.to_str().unwrap_or_default()
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<IdempotencyKey> for HeaderValue {
    fn from(key: IdempotencyKey) -> Self {
        key.0
    }
}

impl From<&IdempotencyKey> for HeaderValue {
    fn from(key: &IdempotencyKey) -> Self {
        key.0.clone()
    }
}

fn check(key: &str) -> Result<(), InvalidKey> {
    let fault = match key.char_indices().find(|(_, char)| char.is_control() || !char.is_ascii()) {
        Some((at, char)) if char.is_control() => Fault::Control { at, char },
        Some((at, char)) => Fault::NotAscii { at, char },
        None if key.is_empty() => Fault::Empty,
        None if key.starts_with(' ') || key.ends_with(' ') => Fault::Space,
        None => return Ok(()),
    };
    Err(InvalidKey(fault))
}

/// Why a text is no [`IdempotencyKey`]. Displayed it says which character and where, not the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidKey(Fault);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Empty,
    Space,
    Control { at: usize, char: char },
    NotAscii { at: usize, char: char },
    Unsendable,
}

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an idempotency key cannot ")?;
        match self.0 {
            Fault::Empty => f.write_str("be empty"),
            Fault::Space => f.write_str("start or end with a space"),
            Fault::Control { at, char } => {
                write!(f, "hold the control character {char:?} (at byte {at})")
            }
            Fault::NotAscii { at, char } => {
                write!(f, "hold {char:?} (at byte {at}), which is not ASCII")
            }
            Fault::Unsendable => f.write_str("be sent in a header"),
        }
    }
}

impl Error for InvalidKey {}
