use super::*;

async fn recover(_: &Report, outcome: Outcome) -> Outcome {
    tokio::task::yield_now().await;
    outcome.or(Ok(70))
}

#[tokio::test]
async fn run_hooks_that_change_their_surroundings() {
    let (peer, mut count) = (Peer::third(), 0);
    let outcome = retry::block!(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        before = |a| peer.note(format!("{}", a.number())),
        after = |_, o| {
            assert!(o.is_err());
            count += 1
        },
        before_sleep = jot_outcome,
        on_success = |r, o| count += r.attempts() + *o.as_ref().unwrap(),
        || peer.ask(),
    );
    assert_eq!((outcome, count, jotted().len()), (Ok(3), 8, 2));
    assert_eq!(peer.notes(), ["1", "2", "3"]);

    let (peer, mut count) = (Peer::third(), 0);
    let outcome = retry::block!(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        before = async |a| peer.note_slowly(format!("{}", a.number())).await,
        after = async |_, o| {
            assert!(o.is_err());
            count += 1
        },
        before_sleep = jot_outcome,
        on_success = |r, o| count += r.attempts() + *o.as_ref().unwrap(),
        async { peer.ask_slowly().await },
    );
    assert_eq!((outcome, count, jotted().len()), (Ok(3), 8, 2));
    assert_eq!(peer.notes(), ["1", "2", "3"]);
}

#[tokio::test]
async fn fall_back_with_or_without_a_type() {
    let peer = Peer::never();
    let sync = retry::block!(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        fallback = |_, o| o.or(Ok(7)),
        || peer.ask(),
    );
    assert_eq!(sync, Ok(7));
    let typed = retry::block!(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        fallback = |r, _| Ok(r.attempts()),
        async || -> Outcome { peer.ask() },
    );
    assert_eq!(typed, Ok(2));
    let untyped = retry::block!(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        gate = async |_, _| true,
        fallback = |_, o| o.or(Ok(7)),
        async { peer.ask() },
    );
    assert_eq!(untyped, Ok(7));
    let by_async_path = retry::block!(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        fallback = recover,
        async { peer.ask() },
    );
    assert_eq!(by_async_path, Ok(70));
    let by_async_closure = retry::block!(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        fallback = async |r, o| recover(r, o).await,
        async { peer.ask() },
    );
    assert_eq!(by_async_closure, Ok(70));
}

#[tokio::test]
async fn that_only_a_success_ends_still_run_their_hooks() {
    let peer = Peer::third();
    let n: u32 = retry::block!(
        forever,
        wait = fixed(1s),
        on = any_error(),
        before_sleep = |a, _| peer.note(format!("{:?}", a.next_delay().unwrap())),
        on_success = |r, o| peer.note(format!("{o:?} in {}", r.attempts())),
        sleep = |pause| assert_eq!(pause, ms(1000)),
        || peer.ask(),
    );
    assert_eq!((n, peer.notes()), (3, vec!["1s".into(), "1s".into(), "Ok(3) in 3".into()]));
}
