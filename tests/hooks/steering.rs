//! `gate`, `reset`, `fallback` and `enabled`.

use std::time::Duration;

use retry::{Attempt, Report, RetryError, StopReason, Verdict, record_sync, retry, retry_with};

use crate::peer::{Busy, Outcome, Peer};
use crate::support::ms;

/// Under virtual time, with its only report.
fn watched<T>(call: impl FnOnce() -> T) -> (T, Report) {
    let (value, mut reports) = record_sync(|| retry_with().virtual_time().sync_scope(call));
    assert_eq!(reports.len(), 1);
    (value, reports.remove(0))
}

mod gate {
    use super::*;

    #[test]
    fn that_says_no_returns_the_real_outcome() {
        #[retry(
            stop = attempts(5),
            wait = fixed(10ms),
            on = any_error(),
            gate = |attempt, _| attempt.number() < 3,
        )]
        fn call(peer: &Peer) -> Result<u32, RetryError<Busy>> {
            peer.ask()
        }
        let (outcome, report) = watched(|| call(&Peer::never()));
        let error = outcome.unwrap_err();
        assert_eq!((error.reason, error.attempts), (StopReason::Gate, 2));
        assert_eq!(error.source, Some(Busy(2)));
        assert!(error.elapsed >= Some(ms(20)));
        assert_eq!((report.reason(), report.waited()), (StopReason::Gate, ms(20)));
    }

    #[tokio::test(start_paused = true)]
    async fn that_says_no_is_followed_by_on_give_up_and_the_fallback() {
        async fn allows(attempt: &Attempt, outcome: &Outcome) -> bool {
            tokio::task::yield_now().await;
            assert!(outcome.is_err());
            attempt.number() < 3
        }
        #[retry(
            stop = attempts(5),
            wait = fixed(10ms),
            on = any_error(),
            before = |a| peer.note(format!("before {}", a.number())),
            gate = allows,
            on_give_up = |r, o| peer.note(format!("{} {o:?}", r.reason())),
            fallback = |r, o| { peer.note("fallback"); o.or(Ok(r.attempts() * 100)) },
        )]
        async fn call(peer: &Peer) -> Outcome {
            peer.ask_slowly().await
        }
        let peer = Peer::never();
        assert_eq!(call(&peer).await, Ok(200));
        let noted = ["before 1", "before 2", "gate Err(Busy(2))", "fallback"];
        assert_eq!(peer.notes(), noted);
    }

    #[test]
    fn that_says_no_returns_a_value_that_was_judged() {
        #[retry(
            stop = attempts(5),
            wait = none(),
            on = output(|n| *n < 9),
            gate = |a, _| a.number() < 3,
        )]
        fn call(n: &mut u32) -> u32 {
            *n += 1;
            *n
        }
        assert_eq!(call(&mut 0), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn sees_what_has_failed() {
        #[retry(
            stop = attempts(9),
            wait = fixed(10ms),
            on = any_error(),
            gate = |attempt, outcome| {
                peer.note(format!("{} {outcome:?}", attempt.number()));
                !matches!(outcome, Err(Busy(2)))
            },
        )]
        fn call(peer: &Peer) -> Outcome {
            peer.ask()
        }
        #[retry(
            stop = attempts(9),
            wait = fixed(10ms),
            on = any_error(),
            gate = async |_, outcome| {
                peer.note_slowly(format!("{outcome:?}")).await;
                !matches!(outcome, Err(Busy(2)))
            },
        )]
        async fn call_slowly(peer: &Peer) -> Outcome {
            peer.ask_slowly().await
        }
        let peer = Peer::never();
        assert_eq!(watched(|| call(&peer)).0, Err(Busy(2)));
        assert_eq!(peer.notes(), ["2 Err(Busy(1))", "3 Err(Busy(2))"]);
        let peer = Peer::never();
        assert_eq!(call_slowly(&peer).await, Err(Busy(2)));
        assert_eq!(peer.notes(), ["Err(Busy(1))", "Err(Busy(2))"]);
    }

    /// Refreshes a token and goes on.
    #[test]
    fn may_change_what_the_next_attempt_sees() {
        #[retry(
            stop = attempts(5),
            wait = none(),
            on = any_error(),
            gate = |_, _| { *token += 1; *token < 100 },
        )]
        fn call(token: &mut u32) -> Outcome {
            if *token == 7 { Ok(*token) } else { Err(Busy(*token)) }
        }
        assert_eq!(call(&mut 5), Ok(7));
        assert_eq!(call(&mut 98), Err(Busy(99)));
    }
}

mod reset {
    use super::*;

    #[test]
    fn of_what_was_to_be_the_last_attempt_makes_it_one_that_others_follow() {
        #[retry(
            stop = attempts(2),
            wait = none(),
            on = any_error(),
            reset = |attempt, _| attempt.number() == 2,
            after = |attempt, _| peer.note(format!("{} {}", attempt.number(), attempt.is_last())),
        )]
        fn call(peer: &Peer) -> Outcome {
            peer.ask()
        }
        let peer = Peer::never();
        assert!(call(&peer).is_err());
        assert_eq!(peer.notes(), ["1 false", "2 false", "3 true"]);
    }

    #[test]
    fn by_a_closure_starts_count_and_backoff_anew() {
        #[retry(
            stop = attempts(3),
            wait = exponential(10ms),
            on = any_error(),
            reset = |attempt, outcome| attempt.number() == 2 && outcome.is_err(),
        )]
        fn call(peer: &Peer) -> Outcome {
            peer.ask()
        }
        let (_, report) = watched(|| call(&Peer::never()));
        assert_eq!(report.delays().collect::<Vec<_>>(), [ms(10), ms(10), ms(20)]);
        assert_eq!(report.attempts(), 4);
    }

    #[test]
    fn by_a_closure_may_look_into_self_and_take_the_outcome_apart() {
        struct Client {
            peer: Peer,
            healthy: u32,
            resets: u32,
        }
        impl Client {
            #[retry(
                stop = attempts(3),
                wait = exponential(10ms),
                on = any_error(),
                reset = |_: &Attempt, (Ok(n) | Err(Busy(n)))| {
                    self.resets += 1;
                    if *n != self.healthy {
                        return false;
                    }
                    true
                },
            )]
            fn call(&mut self) -> Outcome {
                self.peer.ask()
            }
        }
        let mut client = Client { peer: Peer::never(), healthy: 2, resets: 0 };
        let (outcome, report) = watched(|| client.call());
        assert_eq!((outcome, report.attempts(), client.resets), (Err(Busy(4)), 4, 4));
    }

    /// The second attempt lasts 5 s.
    macro_rules! lasting {
        ($reset:expr) => {{
            #[retry(stop = attempts(3), wait = exponential(10ms), on = any_error(), reset = $reset)]
            async fn call(peer: &Peer) -> Outcome {
                if peer.calls() == 1 {
                    tokio::time::sleep(Duration::from_secs(5)).await;
                }
                peer.ask()
            }
            let (_, reports) = retry::record(call(&Peer::never())).await;
            reports[0].delays().collect::<Vec<_>>()
        }};
    }

    #[tokio::test(start_paused = true)]
    async fn by_a_duration_starts_anew_after_an_attempt_that_lasted_as_long() {
        let anew = [ms(10), ms(10), ms(20)];
        let not = [ms(10), ms(20)];
        const HEALTHY: Duration = Duration::from_secs(5);
        assert_eq!(lasting!(5s), anew);
        assert_eq!(lasting!(5.001s), not);
        assert_eq!(lasting!((5s)), anew);
        assert_eq!(lasting!(HEALTHY), anew);
        assert_eq!(lasting!(HEALTHY * 2), not);
        assert_eq!(lasting!(if HEALTHY > 1s { 2s } else { 9s }), anew);
    }

    #[test]
    fn is_told_what_the_attempt_means_and_before_only_what_the_one_before_meant() {
        #[retry(
            stop = attempts(3),
            wait = none(),
            on = |e: &Busy| if e.0 == 2 { Verdict::Ambiguous } else { Verdict::Retry },
            idempotent,
            before = |attempt| told.push(attempt.verdict()),
            reset = |attempt, _| { told.push(attempt.verdict()); false },
        )]
        fn call(peer: &Peer, told: &mut Vec<Option<Verdict>>) -> Outcome {
            peer.ask()
        }
        let (retry, ambiguous) = (Some(Verdict::Retry), Some(Verdict::Ambiguous));
        let mut told = Vec::new();
        assert_eq!(watched(|| call(&Peer::never(), &mut told)).0, Err(Busy(3)));
        assert_eq!(told, [None, retry, retry, ambiguous, ambiguous, retry]);
    }

    #[test]
    fn lets_a_decorrelated_wait_grow_from_its_base_again() {
        #[retry(
            stop = attempts(2),
            wait = decorrelated(1s, 1h),
            on = any_error(),
            reset = |attempt, _| attempt.number() < 30,
        )]
        fn call(peer: &Peer) -> Outcome {
            peer.ask()
        }
        let (outcome, report) = watched(|| call(&Peer::never()));
        assert_eq!(outcome, Err(Busy(30)));
        assert!(report.delays().all(|delay| delay <= Duration::from_secs(3)), "{report:?}");
    }

    #[test]
    fn of_every_attempt_goes_on_until_something_else_ends_it() {
        #[retry(
            stop = attempts(3) | within(35h),
            wait = fixed(10h),
            on = |e: &Busy| e.0 < 40,
            reset = |_, _| true,
        )]
        fn call(peer: &Peer) -> Outcome {
            peer.ask()
        }
        let (outcome, report) = watched(|| call(&Peer::never()));
        assert_eq!((outcome, report.reason()), (Err(Busy(40)), StopReason::Permanent));
    }
}

mod fallback {
    use super::*;

    #[retry(
        stop = attempts(2) | within(1h) | (|_| peer.calls() == 9),
        wait = fixed(10ms),
        on = |e: &Busy| match kind {
            "permanent" => Verdict::Final,
            "ambiguous" => Verdict::Ambiguous,
            "hint" => Verdict::Retry.retry_after(2h),
            _ if e.0 > 0 => Verdict::Retry,
            _ => Verdict::Final,
        },
        max_hint = 1h,
        gate = |_, _| kind != "gate",
        fallback = |r, o| {
            assert!(o.is_err());
            reasons.push(r.reason());
            Ok(7)
        },
        enabled = kind != "disabled",
        name = "fallback",
    )]
    fn call(peer: &Peer, kind: &str, reasons: &mut Vec<StopReason>) -> Outcome {
        if kind == "time" {
            return Err(Busy(1));
        }
        peer.ask()
    }

    #[test]
    fn is_taken_for_every_reason_but_a_success_and_disabled() {
        let mut reasons = Vec::new();
        for kind in ["attempts", "permanent", "ambiguous", "hint", "gate"] {
            assert_eq!(call(&Peer::never(), kind, &mut reasons), Ok(7), "{kind}");
        }
        let within = retry_with().virtual_time().stop(retry::stop::within(ms(1)));
        assert_eq!(within.sync_scope(|| call(&Peer::never(), "", &mut reasons)), Ok(7));
        let when = retry_with().stop(retry::stop::when(|_| true) | retry::stop::attempts(9));
        assert_eq!(when.sync_scope(|| call(&Peer::never(), "", &mut reasons)), Ok(7));
        let told = [
            StopReason::Attempts,
            StopReason::Permanent,
            StopReason::Ambiguous,
            StopReason::HintTooLong,
            StopReason::Gate,
            StopReason::Time,
            StopReason::Custom,
        ];
        assert_eq!(reasons, told);
        assert_eq!(call(&Peer::never(), "disabled", &mut reasons), Err(Busy(1)));
        assert_eq!(call(&Peer::good_at(1), "", &mut reasons), Ok(1));
        assert_eq!(call(&Peer::good_at(2), "", &mut reasons), Ok(2));
        assert_eq!(reasons, told);

        let sites = retry::sites();
        let site = sites.get("fallback").unwrap();
        assert_eq!((site.given_up(), site.permanent(), site.disabled()), (6, 1, 1));
        assert_eq!((site.first_try(), site.recovered()), (1, 1));
    }

    #[test]
    fn may_give_a_failure_of_its_own_which_a_retry_error_wraps() {
        #[retry(
            stop = attempts(2),
            wait = none(),
            on = any_error(),
            fallback = |_, o| match o {
                Err(Busy(n)) if good => Ok(n),
                Err(Busy(n)) => Err(Busy(n * 100)),
                Ok(n) => Ok(n),
            },
        )]
        fn call(peer: &Peer, good: bool) -> Result<u32, RetryError<Busy>> {
            peer.ask()
        }
        assert_eq!(call(&Peer::never(), true).unwrap(), 2);
        let error = call(&Peer::never(), false).unwrap_err();
        assert_eq!((error.reason, error.attempts), (StopReason::Attempts, 2));
        assert_eq!(error.source, Some(Busy(200)));
    }

    fn or_zero(_: &Report, outcome: Outcome) -> Outcome {
        outcome.or(Ok(0))
    }

    fn or_default<T: Default, E>(_: &Report, outcome: Result<T, E>) -> Result<T, E> {
        outcome.or_else(|_| Ok(T::default()))
    }

    async fn or_zero_slowly(report: &Report, outcome: Outcome) -> Outcome {
        tokio::task::yield_now().await;
        or_zero(report, outcome)
    }

    macro_rules! sync {
        ($fallback:expr) => {{
            #[retry(stop = attempts(2), wait = none(), on = any_error(), fallback = $fallback)]
            fn call(peer: &Peer) -> Outcome {
                peer.ask()
            }
            call(&Peer::never())
        }};
    }

    macro_rules! asynchronous {
        ($fallback:expr) => {{
            #[retry(stop = attempts(2), wait = none(), on = any_error(), fallback = $fallback)]
            async fn call(peer: &Peer) -> Outcome {
                peer.ask_slowly().await
            }
            call(&Peer::never()).await
        }};
    }

    #[tokio::test]
    async fn is_a_closure_or_a_path_as_any_hook() {
        assert_eq!(sync!(or_zero), Ok(0));
        assert_eq!(sync!(or_default), Ok(0));
        assert_eq!(sync!(self::or_default::<u32, Busy>), Ok(0));
        assert_eq!(sync!(|_, _| Ok(5)), Ok(5));
        assert_eq!(sync!(|r: &Report, _: Outcome| -> Outcome { Ok(r.attempts()) }), Ok(2));
        assert_eq!(sync!(|_, o| o), Err(Busy(2)));
        assert_eq!(sync!(|_, o| Ok(o?)), Err(Busy(2)));
        assert_eq!(
            sync!(|_, mut o| {
                if let Err(Busy(n)) = &mut o {
                    *n += 1
                }
                o
            }),
            Err(Busy(3))
        );
        assert_eq!(asynchronous!(or_zero), Ok(0));
        assert_eq!(asynchronous!(or_default), Ok(0));
        assert_eq!(asynchronous!(or_zero_slowly), Ok(0));
        assert_eq!(asynchronous!(async |_, _| Ok(5)), Ok(5));
        assert_eq!(asynchronous!(async |_, o| Ok(o?)), Err(Busy(2)));
        assert_eq!(asynchronous!(|r, o| or_zero(r, o)), Ok(0));
        assert_eq!(asynchronous!(|_, o| async move { o.or(Ok(6)) }), Ok(6));
        assert_eq!(asynchronous!(async move |r, o| or_zero_slowly(r, o).await), Ok(0));
    }
}

mod disabled {
    use super::*;

    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before = |_| peer.note("before"),
        after = |_, _| peer.note("after"),
        before_sleep = |_, _| peer.note("before_sleep"),
        gate = |_, _| { peer.note("gate"); true },
        reset = |_, _| { peer.note("reset"); false },
        on_success = |_, _| peer.note("on_success"),
        on_give_up = |_, _| peer.note("on_give_up"),
        fallback = |_, o| { peer.note("fallback"); o },
        enabled = enabled,
    )]
    async fn call(peer: &Peer, enabled: bool) -> Result<u32, RetryError<Busy>> {
        peer.ask_slowly().await
    }

    #[tokio::test]
    async fn calls_run_no_hook() {
        for good in [1, 9] {
            let peer = Peer::good_at(good);
            let outcome = call(&peer, false).await;
            assert_eq!(outcome.is_ok(), good == 1);
            assert!(outcome.is_ok_and(|_| true) || peer.calls() == 1);
            assert_eq!(peer.take(), ["body 1"]);
            let peer = Peer::good_at(good);
            let outcome = retry_with().enabled(false).scope(call(&peer, true)).await;
            assert_eq!(outcome.is_ok(), good == 1);
            assert_eq!(peer.take(), ["body 1"]);
        }
        let error = call(&Peer::never(), false).await.unwrap_err();
        assert_eq!((error.reason, error.attempts), (StopReason::Disabled, 1));
        assert_eq!(error.source, Some(Busy(1)));
    }
}
