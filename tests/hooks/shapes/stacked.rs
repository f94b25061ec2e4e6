use super::*;

#[retry(
    stop = attempts(2),
    wait = fixed(1s),
    on = any_error(),
    before = |a| peer.note(format!("outer {}", a.number())),
)]
fn outer(peer: &Peer) -> Outcome {
    #[retry(
        stop = attempts(2),
        wait = fixed(1s),
        on = any_error(),
        before = |a| peer.note(format!("inner {}", a.number())),
    )]
    fn inner(peer: &Peer) -> Outcome {
        peer.ask()
    }
    inner(peer)
}

#[test]
fn calls_run_each_their_own_hooks() {
    let peer = Peer::never();
    let outcome = retry_with().virtual_time().sync_scope(|| outer(&peer));
    assert_eq!(outcome, Err(Busy(4)));
    let noted = ["outer 1", "inner 1", "inner 2", "outer 2", "inner 1", "inner 2"];
    assert_eq!(peer.notes(), noted);
}
