//! `warn_after`: which retries are warnings.

use std::time::Duration;

use retry::{retry, retry_with};
use tracing::Level;

use crate::peer::{Outcome, Peer};
use crate::support::events::events;

/// The levels of the events of a call: retries, and the end.
fn levels(call: impl FnOnce() -> Outcome) -> Vec<Level> {
    let events = events(|| retry_with().virtual_time().sync_scope(|| assert!(call().is_err())));
    let ours = events.iter().filter(|event| event.target == "retry");
    ours.map(|event| event.level).collect()
}

const QUIET: Level = Level::DEBUG;
const LOUD: Level = Level::WARN;

macro_rules! warns {
    ($after:expr) => {{
        #[retry(stop = attempts(5), wait = fixed(1s), on = any_error(), warn_after = $after)]
        fn call(peer: &Peer) -> Outcome {
            peer.ask()
        }
        levels(|| call(&Peer::never()))
    }};
}

#[test]
fn a_number_counts_failed_attempts() {
    assert_eq!(warns!(1), [LOUD, LOUD, LOUD, LOUD, LOUD]);
    assert_eq!(warns!(3), [QUIET, QUIET, LOUD, LOUD, LOUD]);
    assert_eq!(warns!((3)), [QUIET, QUIET, LOUD, LOUD, LOUD]);
    assert_eq!(warns!(3_u32), [QUIET, QUIET, LOUD, LOUD, LOUD]);
    assert_eq!(warns!(99), [QUIET, QUIET, QUIET, QUIET, LOUD]);
}

#[test]
fn a_duration_is_the_time_since_the_start() {
    assert_eq!(warns!(1s), [QUIET, LOUD, LOUD, LOUD, LOUD]);
    assert_eq!(warns!(1.5s), [QUIET, QUIET, LOUD, LOUD, LOUD]);
    assert_eq!(warns!(1h), [QUIET, QUIET, QUIET, QUIET, LOUD]);
}

#[test]
fn an_expression_gives_either() {
    const QUIETLY: u32 = 2;
    assert_eq!(warns!(QUIETLY), [QUIET, LOUD, LOUD, LOUD, LOUD]);
    assert_eq!(warns!(QUIETLY + 1), [QUIET, QUIET, LOUD, LOUD, LOUD]);
    assert_eq!(warns!(1 + 2), [QUIET, QUIET, LOUD, LOUD, LOUD]);
    assert_eq!(warns!(2 * 1s), [QUIET, QUIET, LOUD, LOUD, LOUD]);
    assert_eq!(warns!(Duration::from_secs(2)), [QUIET, QUIET, LOUD, LOUD, LOUD]);
    assert_eq!(warns!(if QUIETLY > 9 { 1 } else { 4 }), [QUIET, QUIET, QUIET, LOUD, LOUD]);
}

struct Client {
    quiet: Duration,
    number: u32,
}

impl Client {
    #[retry(stop = attempts(4), wait = fixed(1s), on = any_error(), warn_after = self.quiet)]
    fn by_time(&self) -> Outcome {
        Peer::never().ask()
    }

    #[retry(stop = attempts(4), wait = fixed(1s), on = any_error(), warn_after = self.number)]
    fn by_number(&mut self) -> Outcome {
        Peer::never().ask()
    }
}

#[test]
fn it_may_come_from_self() {
    let mut client = Client { quiet: Duration::from_secs(2), number: 2 };
    assert_eq!(levels(|| client.by_time()), [QUIET, QUIET, LOUD, LOUD]);
    assert_eq!(levels(|| client.by_number()), [QUIET, LOUD, LOUD, LOUD]);
}
