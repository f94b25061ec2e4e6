//! What a closure may give that is run in a scope: anything but a future, which would run outside.

/// What has ended when the closure that gave it has.
///
/// No bound says "no future". But a second way to be this, for futures only, leaves open which of the
/// two is meant, and that the compiler does not accept. A closure whose value is of a type parameter
/// is fine, unless that is bound to be a future.
pub trait EndsInside<How> {}

/// How every value ends inside.
#[derive(Debug)]
pub struct AsAValue(());

/// How a future does not: it only runs when it is awaited.
#[derive(Debug)]
pub struct ButAFutureRunsLater(());

impl<T> EndsInside<AsAValue> for T {}

impl<F: Future> EndsInside<ButAFutureRunsLater> for F {}
