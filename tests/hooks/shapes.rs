//! Hooks on every shape of function.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use async_trait::async_trait;
use retry::{Attempt, Report, retry, retry_with};

use crate::peer::{Busy, Outcome, Peer, jot_outcome, jotted};
use crate::support::ms;

mod methods {
    use super::*;

    struct Client {
        peer: Peer,
        limit: u32,
        failures: u32,
    }

    impl Client {
        fn new() -> Self {
            Self { peer: Peer::third(), limit: 5, failures: 0 }
        }

        fn log<E: Debug>(attempt: &Attempt, outcome: &Result<u32, E>) {
            jot_outcome(attempt, outcome);
        }

        async fn log_slowly(attempt: &Attempt, outcome: &Outcome) {
            tokio::task::yield_now().await;
            Self::log(attempt, outcome);
        }

        fn failed(&mut self) {
            self.failures += 1;
        }

        #[retry(
            stop = attempts(self.limit),
            wait = none(),
            on = any_error(),
            before = |a| self.peer.note(format!("{} of {}", a.number(), self.limit)),
            before_sleep = [Self::log, Self::log::<Busy>, Client::log],
        )]
        fn by_ref(&self) -> Outcome {
            self.peer.ask()
        }

        #[retry(
            stop = attempts(self.limit),
            wait = none(),
            on = any_error(),
            before = |_| self.limit += 1,
            after = |_, _| self.failed(),
            gate = |_, _| { self.failures += 10; true },
            fallback = |_, o| { self.failures += 100; o },
            on_success = |_, o| self.limit = *o.as_ref().unwrap() * 1000,
        )]
        fn by_mut(&mut self) -> Outcome {
            self.failures += 1000;
            self.peer.ask()
        }

        #[retry(
            stop = attempts(self.limit),
            wait = none(),
            on = any_error(),
            before = async |_| self.limit += 1,
            after = async |_, _| { tokio::task::yield_now().await; self.failed() },
            gate = async |_, _| { self.failures += 10; tokio::task::yield_now().await; true },
            fallback = async |_, o| { self.failures += 100; o },
            on_success = |_, o| self.limit = *o.as_ref().unwrap() * 1000,
        )]
        async fn by_mut_async(&mut self) -> Outcome {
            self.failures += 1000;
            self.peer.ask_slowly().await
        }

        #[retry(
            stop = attempts(self.limit),
            wait = none(),
            on = any_error(),
            before_sleep = [Self::log, Self::log_slowly],
        )]
        async fn by_ref_async(&self) -> Outcome {
            self.peer.ask_slowly().await
        }
    }

    #[tokio::test]
    async fn borrow_self_and_name_its_functions() {
        let client = Client::new();
        assert_eq!(client.by_ref(), Ok(3));
        assert_eq!(client.peer.notes(), ["1 of 5", "2 of 5", "3 of 5"]);
        assert_eq!(jotted().len(), 6);
        let client = Client::new();
        assert_eq!(client.by_ref_async().await, Ok(3));
        assert_eq!(jotted().len(), 4);
    }

    #[tokio::test]
    async fn change_self_between_attempts() {
        let mut client = Client::new();
        assert_eq!(client.by_mut(), Ok(3));
        assert_eq!((client.limit, client.failures), (3000, 3022));
        let mut client = Client::new();
        assert_eq!(client.by_mut_async().await, Ok(3));
        assert_eq!((client.limit, client.failures), (3000, 3022));
    }
}

mod arguments {
    use super::*;

    #[retry(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        before = |a| seen.push(a.number()),
        after = |_, _| *count += 1,
        before_sleep = |a, _| { seen.push(a.number() * 10); *count += 1; },
        on_success = |_, _| seen.clear(),
    )]
    fn sync(peer: &Peer, seen: &mut Vec<u32>, count: &mut u32) -> Outcome {
        seen.push(0);
        peer.ask()
    }

    #[retry(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        before = async |a| { tokio::task::yield_now().await; seen.push(a.number()) },
        after = |_, _| *count += 1,
        before_sleep = async |a, _| { seen.push(a.number() * 10); *count += 1; },
        on_success = async |_, _| seen.clear(),
    )]
    async fn asynchronous(peer: &Peer, seen: &mut Vec<u32>, count: &mut u32) -> Outcome {
        seen.push(0);
        peer.ask_slowly().await
    }

    #[tokio::test]
    async fn that_are_borrowed_mutably_are_changed_by_hooks_and_body() {
        let (mut seen, mut count) = (Vec::new(), 0);
        assert_eq!(sync(&Peer::third(), &mut seen, &mut count), Ok(3));
        assert_eq!((seen.len(), count), (0, 4));
        assert_eq!(asynchronous(&Peer::third(), &mut seen, &mut count).await, Ok(3));
        assert_eq!((seen.len(), count), (0, 8));
    }

    #[retry(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        clone(text),
        before = |_| peer.note(&*text),
    )]
    async fn cloned(peer: &Peer, mut text: String) -> Result<String, Busy> {
        text.push('!');
        peer.ask()?;
        Ok(text)
    }

    #[tokio::test]
    async fn that_are_cloned_are_what_the_caller_gave() {
        let peer = Peer::third();
        assert_eq!(cloned(&peer, "text".into()).await.as_deref(), Ok("text!"));
        assert_eq!(peer.notes(), ["text"; 3]);
    }
}

mod generics {
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
}

mod boxed {
    use super::*;

    #[async_trait]
    trait Store {
        async fn get(&self, key: &str) -> Outcome;
        async fn put(&mut self, key: String) -> Outcome;
    }

    struct Disk {
        peer: Peer,
        retries: u32,
    }

    impl Disk {
        fn allows(&self, attempt: &Attempt) -> bool {
            self.peer.note(format!("gate {}", attempt.number()));
            true
        }
    }

    #[async_trait]
    impl Store for Disk {
        #[retry(
            stop = attempts(5),
            wait = none(),
            on = any_error(),
            before = async |a| self.peer.note_slowly(format!("{key} {}", a.number())).await,
            gate = |a, _| self.allows(a),
            on_success = |r, _| self.peer.note(format!("{key} took {}", r.attempts())),
        )]
        async fn get(&self, key: &str) -> Outcome {
            self.peer.ask_slowly().await
        }

        #[retry(
            stop = attempts(5),
            wait = none(),
            on = any_error(),
            before_sleep = |_, _| self.retries += 1,
            gate = async |_, _| { tokio::task::yield_now().await; self.retries += 10; true },
            fallback = |r, _| Ok(r.attempts() + u32::try_from(key.len()).unwrap()),
        )]
        async fn put(&mut self, key: String) -> Outcome {
            self.peer.ask_slowly().await
        }
    }

    #[tokio::test]
    async fn by_async_trait_see_self_and_arguments() {
        let mut disk = Disk { peer: Peer::third(), retries: 0 };
        assert_eq!(disk.get("key").await, Ok(3));
        let noted = ["key 1", "gate 2", "key 2", "gate 3", "key 3", "key took 3"];
        assert_eq!(disk.peer.notes(), noted);
        disk.peer = Peer::never();
        assert_eq!(disk.put("key".into()).await, Ok(8));
        assert_eq!(disk.retries, 44);
    }

    #[retry(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        before = |a| peer.note(format!("{text} {}", a.number())),
        after = async |_, o| peer.note(format!("{o:?}")),
        on_success = |_, _| peer.note(text),
    )]
    fn by_hand<'a>(
        peer: &'a Peer,
        text: &'a str,
    ) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        Box::pin(async move { peer.ask_slowly().await })
    }

    #[retry(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        before = |a| peer.note(format!("{text} {}", a.number())),
        after = async |_, o| peer.note(format!("{o:?}")),
        on_success = |_, _| peer.note(text),
    )]
    fn opaque<'a>(peer: &'a Peer, text: &'a str) -> impl Future<Output = Outcome> + Send + 'a {
        async move { peer.ask_slowly().await }
    }

    #[tokio::test]
    async fn by_hand_and_opaque_futures_run_their_hooks() {
        let noted = ["text 1", "Err(Busy(1))", "text 2", "Err(Busy(2))", "text 3", "text"];
        let peer = Peer::third();
        assert_eq!(by_hand(&peer, "text").await, Ok(3));
        assert_eq!(peer.notes(), noted);
        let peer = Peer::third();
        assert_eq!(opaque(&peer, "text").await, Ok(3));
        assert_eq!(peer.notes(), noted);
    }
}

mod outputs {
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
}

mod blocks {
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
}

mod macros {
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
}

mod stacked {
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
}
