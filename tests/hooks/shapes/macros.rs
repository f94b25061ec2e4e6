use super::*;

macro_rules! written {
    ($name:ident, $asyncness:tt, $hook:expr, $gate:expr, $list:expr, $reset:expr) => {
        written! { @ $asyncness
            #[retry(
                stop = attempts(4),
                wait = none(),
                on = any_error(),
                before = $hook,
                before_sleep = $list,
                gate = $gate,
                reset = $reset,
                on_success = |r, _| peer.note(format!("took {}", r.attempts())),
            )]
            fn $name(peer: &Peer) -> Outcome { peer.ask() }
        }
    };
    (@ sync $(#[$attr:meta])* fn $name:ident($($args:tt)*) -> $ret:ty $body:block) => {
        $(#[$attr])* fn $name($($args)*) -> $ret $body
    };
    (@ async $(#[$attr:meta])* fn $name:ident($($args:tt)*) -> $ret:ty $body:block) => {
        $(#[$attr])* async fn $name($($args)*) -> $ret $body
    };
}

written!(
    sync_by_macro,
    sync,
    |a| crate::peer::jot_attempt(a),
    |a, _| a.number() < 9,
    [jot_outcome, |_, _| crate::peer::jot("closure")],
    |_, _| false
);
written!(
    async_by_macro,
    async,
    async |a| crate::peer::jot_attempt_slowly(a).await,
    async |a, _| a.number() < 9,
    [jot_outcome, async |_, _| crate::peer::jot("closure")],
    5s
);

#[tokio::test]
async fn write_functions_with_hooks_of_their_own_and_of_their_caller() {
    let peer = Peer::third();
    assert_eq!(sync_by_macro(&peer), Ok(3));
    assert_eq!(peer.notes(), ["took 3"]);
    assert_eq!(jotted()[..3], ["attempt 1", "1 Err(Busy(1))", "closure"]);
    let peer = Peer::third();
    assert_eq!(async_by_macro(&peer).await, Ok(3));
    assert_eq!(peer.notes(), ["took 3"]);
    assert_eq!(jotted()[..3], ["slowly 1", "1 Err(Busy(1))", "closure"]);
}
