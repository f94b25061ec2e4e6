use super::*;

#[retry(
    stop = attempts(2),
    wait = none(),
    on = any_error(),
    before = |a| peer.note(format!("{value:?} {}", a.number())),
    before_sleep = [jot_outcome, jot_outcome::<Result<T, E>>, |_, o| hook(o)],
)]
fn sync<T: Clone + Debug, E: Debug, const N: usize>(
    peer: &Peer,
    value: T,
    error: fn(Busy) -> E,
    hook: impl Fn(&Result<T, E>),
) -> Result<T, E> {
    peer.ask().map(|_| value.clone()).map_err(error)
}

#[retry(
    stop = attempts(2),
    wait = none(),
    on = any_error(),
    before = async |a| peer.note_slowly(format!("{value:?} {}", a.number())).await,
    before_sleep = jot_outcome,
)]
async fn asynchronous<'a, T: Clone + Debug, E>(
    peer: &'a Peer,
    value: &'a [T],
    error: fn(Busy) -> E,
) -> Result<&'a T, E>
where
    E: Debug + 'a,
{
    peer.ask_slowly().await.map(|_| &value[0]).map_err(error)
}

#[tokio::test]
async fn are_known_in_hooks() {
    let peer = Peer::good_at(2);
    let got = sync::<_, _, 3>(&peer, 'x', |Busy(n)| n, |o| assert_eq!(*o, Err(1)));
    assert_eq!(got, Ok('x'));
    assert_eq!(peer.notes(), ["'x' 1", "'x' 2"]);
    assert_eq!(jotted(), ["1 Err(1)", "1 Err(1)"]);
    let peer = Peer::good_at(2);
    assert_eq!(asynchronous(&peer, &['x'], |Busy(n)| n).await, Ok(&'x'));
    assert_eq!(peer.notes(), ["['x'] 1", "['x'] 2"]);
    assert_eq!(jotted(), ["1 Err(1)"]);
}
