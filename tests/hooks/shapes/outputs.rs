use super::*;

#[retry(
    stop = attempts(2),
    wait = none(),
    on = any_error(),
    before_sleep = |_, o| peer.note(format!("{o:?}")),
    on_give_up = |r, o| peer.note(format!("{} {o:?}", r.reason())),
    fallback = |_, o| o.or(Some(7)),
)]
fn option(peer: &Peer) -> Option<u32> {
    peer.ask().ok()
}

#[retry(
    stop = attempts(2),
    wait = none(),
    on = output(|n| *n == 0),
    before_sleep = async |_, n| peer.note(format!("{n}")),
    on_give_up = |r, n| peer.note(format!("{} {n}", r.reason())),
    fallback = |_, n| n + 7,
)]
async fn plain(peer: &Peer) -> u32 {
    peer.ask_slowly().await.unwrap_or(0)
}

#[tokio::test]
async fn options_and_plain_values_are_seen_and_replaced() {
    let peer = Peer::never();
    assert_eq!(option(&peer), Some(7));
    assert_eq!(peer.notes(), ["None", "attempts None"]);
    let peer = Peer::never();
    assert_eq!(plain(&peer).await, 7);
    assert_eq!(peer.notes(), ["0", "attempts 0"]);
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    after = |_, o| peer.note(if o.is_err() { "failed" } else { "did not" }),
    on_success = |r, _| peer.note(r.reason().as_str()),
    fallback = |_, o| o,
)]
fn opaque(peer: &Peer) -> Result<impl Iterator<Item = u32> + use<>, Busy> {
    peer.ask().map(|n| 0..n)
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    after = async |_, o| peer.note(if o.is_err() { "failed" } else { "did not" }),
    on_success = async |r, _| peer.note(r.reason().as_str()),
    fallback = |_, o| o,
)]
async fn opaque_async(peer: &Peer) -> Result<impl Iterator<Item = u32> + use<>, Busy> {
    peer.ask().map(|n| 0..n)
}

#[tokio::test]
async fn opaque_types_are_seen_and_handed_on() {
    let noted = ["failed", "failed", "success"];
    let peer = Peer::third();
    assert_eq!(opaque(&peer).unwrap().count(), 3);
    assert_eq!(peer.notes(), noted);
    let peer = Peer::third();
    assert_eq!(opaque_async(&peer).await.unwrap().count(), 3);
    assert_eq!(peer.notes(), noted);
}
