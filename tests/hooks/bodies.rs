//! What hooks may do in their bodies.

#![allow(clippy::todo, clippy::diverging_sub_expression, clippy::manual_assert)] // what they diverge by

use std::panic::{AssertUnwindSafe, catch_unwind};

use retry::retry;

use crate::peer::{Busy, Outcome, Peer};

mod that_panic {
    use super::*;

    #[retry(stop = attempts(3), wait = none(), on = any_error(), before = |_| panic!("no"))]
    fn sync(peer: &Peer) -> Outcome {
        peer.ask()
    }

    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        before = |a| if a.number() == 2 { panic!("no") },
        after = [|_, _| todo!(), async |_, _| todo!()],
    )]
    async fn asynchronous(peer: &Peer) -> Outcome {
        peer.ask()
    }

    #[tokio::test]
    async fn end_the_call_and_leave_nothing_behind() {
        let peer = Peer::never();
        assert!(catch_unwind(AssertUnwindSafe(|| sync(&peer))).is_err());
        assert_eq!(peer.calls(), 0);
        assert!(retry::current().is_none());
        let call = tokio::spawn(async { asynchronous(&Peer::never()).await });
        assert!(call.await.unwrap_err().is_panic());
        assert!(retry::current().is_none());
    }
}

mod that_own_things {
    use super::*;

    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        before = {
            let prefix = text.to_owned();
            move |a| peer.note(format!("{prefix} {}", a.number()))
        },
        after = move |_, _| peer.note(text),
    )]
    fn sync(peer: &Peer, text: &str) -> Outcome {
        peer.ask()
    }

    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        before = |a| {
            let owned = format!("{text} {}", a.number());
            async move { peer.note_slowly(owned).await }
        },
        after = async move |_, _| peer.note_slowly(text).await,
    )]
    async fn asynchronous(peer: &Peer, text: &str) -> Outcome {
        peer.ask_slowly().await
    }

    #[tokio::test]
    async fn are_made_afresh_for_every_attempt() {
        let noted = ["text 1", "text", "text 2", "text", "text 3"];
        let peer = Peer::third();
        assert_eq!(sync(&peer, "text"), Ok(3));
        assert_eq!(peer.notes(), noted);
        let peer = Peer::third();
        assert_eq!(asynchronous(&peer, "text").await, Ok(3));
        assert_eq!(peer.notes(), noted);
    }
}

mod that_look_at_the_context {
    use super::*;

    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before = |_| assert!(retry::current().is_none()),
        after = async |_, _| assert!(retry::current().is_none()),
        gate = |_, _| retry::current().is_none(),
        on_give_up = |_, _| peer.note(format!("{}", retry::current().is_none())),
    )]
    async fn call(peer: &Peer) -> Outcome {
        assert!(retry::current().is_some());
        peer.ask_slowly().await
    }

    #[tokio::test]
    async fn are_outside_of_the_attempt() {
        let peer = Peer::never();
        assert_eq!(call(&peer).await, Err(Busy(2)));
        assert_eq!(peer.notes(), ["true"]);
    }
}

mod that_retry_themselves {
    use super::*;

    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before_sleep = async |_, _| {
            let told = retry::block!(stop = attempts(3), wait = none(), on = any_error(), async {
                board.ask_slowly().await
            });
            peer.note(format!("{told:?}"));
        },
        gate = |_, _| {
            retry::block!(stop = attempts(5), wait = none(), on = any_error(), || token.ask())
                .is_ok()
        },
    )]
    async fn call(peer: &Peer, board: &Peer, token: &Peer) -> Outcome {
        peer.ask_slowly().await
    }

    #[tokio::test]
    async fn do_so_by_their_own_keys() {
        let (peer, board, token) = (Peer::good_at(2), Peer::never(), Peer::good_at(4));
        assert_eq!(call(&peer, &board, &token).await, Ok(2));
        assert_eq!(peer.notes(), ["Err(Busy(3))"]);
        assert_eq!((board.calls(), token.calls()), (3, 4));
    }
}
