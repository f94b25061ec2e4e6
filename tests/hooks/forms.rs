//! Every form in which a hook can be written.

use retry::{Attempt, Report, retry};

use crate::peer::{
    Busy, Outcome, Peer, jot, jot_attempt, jot_attempt_slowly, jot_end, jot_outcome,
    jot_outcome_slowly, jotted,
};

mod closures {
    use super::*;

    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before = |a| peer.note(format!("bare {}", a.number())),
        after = |a: &Attempt, o: &Result<u32, Busy>| peer.note(format!("{} {o:?}", a.number())),
        before_sleep = |_, o| match o {
            Ok(n) => peer.note(n.to_string()),
            Err(Busy(n)) => peer.note(format!("busy {n}")),
        },
        on_give_up = move |r, _| peer.note(format!("moved {}", r.attempts())),
    )]
    fn sync(peer: &Peer) -> Outcome {
        peer.ask()
    }

    #[test]
    fn are_typed_by_what_they_are_given() {
        let peer = Peer::never();
        assert_eq!(sync(&peer), Err(Busy(2)));
        let noted = ["bare 1", "1 Err(Busy(1))", "busy 1", "bare 2", "2 Err(Busy(2))", "moved 2"];
        assert_eq!(peer.notes(), noted);
    }

    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        before = |_| (),
        after = |_: &_, outcome: &Result<_, _>| {
            let Err(Busy(n)) = outcome else { return };
            if *n == 1 {
                return;
            }
            peer.note(format!("after {n}"));
        },
        before_sleep = |attempt, _outcome| -> () { peer.note(attempt.name()) },
        on_success = (|report, outcome| peer.note(format!("{report}, {outcome:?}"))),
        name = "forms",
    )]
    async fn asynchronous(peer: &Peer) -> Outcome {
        peer.ask_slowly().await
    }

    #[tokio::test(start_paused = true)]
    async fn return_early_and_say_their_type_and_stand_in_parentheses() {
        let peer = Peer::third();
        assert_eq!(asynchronous(&peer).await, Ok(3));
        let success = "`forms` succeeded after 3 attempts in 0.0ns, Ok(3)";
        assert_eq!(peer.notes(), ["forms", "after 2", "forms", success]);
    }

    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before_sleep = |_, (Err(Busy(n)) | Ok(n)): &Outcome| peer.note(format!("took {n} apart")),
        fallback = |report, (Ok(n) | Err(Busy(n)))| Ok(n * 10 + report.attempts()),
    )]
    fn patterns(peer: &Peer) -> Outcome {
        peer.ask()
    }

    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before_sleep = async |_, (Err(Busy(n)) | Ok(n))| peer.note(format!("took {n} apart")),
        fallback = async |report: &Report, (Ok(mut n) | Err(Busy(mut n))): Outcome| {
            n *= 10;
            Ok(n + report.attempts())
        },
    )]
    async fn patterns_async(peer: &Peer) -> Outcome {
        peer.ask()
    }

    #[tokio::test]
    async fn take_their_arguments_apart() {
        let peer = Peer::never();
        assert_eq!(patterns(&peer), Ok(22));
        assert_eq!(peer.notes(), ["took 1 apart"]);
        let peer = Peer::never();
        assert_eq!(patterns_async(&peer).await, Ok(22));
        assert_eq!(peer.notes(), ["took 1 apart"]);
    }
}

mod asynchronous {
    use super::*;

    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before = [
            async |a| peer.note_slowly(format!("async closure {}", a.number())).await,
            async |a: &Attempt| {
                peer.note_slowly(format!("with a block {}", a.number())).await;
            },
            async move |a| peer.note_slowly(format!("async move {}", a.number())).await,
            |a| async { peer.note_slowly(format!("async block {}", a.number())).await },
            |a| async move { peer.note_slowly(format!("async move block {}", a.number())).await },
            |a| { async move { peer.note_slowly(format!("in a block {}", a.number())).await } },
            move |a| async move { peer.note_slowly(format!("all moved {}", a.number())).await },
            (async |a| peer.note(format!("in parentheses {}", a.number()))),
            |a| { let n = a.number(); async move { peer.note(format!("made before {n}")) } },
            |a| peer.note_slowly(format!("a future {}", a.number())),
            |a| Box::pin(peer.note_slowly(format!("boxed {}", a.number()))),
            async |_| {},
            |_| async {},
        ],
    )]
    async fn call(peer: &Peer) -> Outcome {
        peer.ask_slowly().await
    }

    #[tokio::test]
    async fn forms_are_all_awaited_in_order() {
        let peer = Peer::good_at(2);
        assert_eq!(call(&peer).await, Ok(2));
        let forms = [
            "async closure",
            "with a block",
            "async move",
            "async block",
            "async move block",
            "in a block",
            "all moved",
            "in parentheses",
            "made before",
            "a future",
            "boxed",
        ];
        let noted: Vec<_> =
            [1, 2].iter().flat_map(|n| forms.map(|form| format!("{form} {n}"))).collect();
        assert_eq!(peer.notes(), noted);
    }

    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        after = async |attempt, outcome| {
            let written: Result<(), String> = async {
                let n = outcome.as_ref().err().ok_or("no error")?.0;
                let text = u8::try_from(n).map_err(|error| error.to_string())?;
                peer.note_slowly(format!("wrote {text} of {}", attempt.number())).await;
                Err("disk full")?;
                Ok(())
            }
            .await;
            let Err(problem) = written else { return };
            peer.note(problem);
        },
        on_give_up = async |report, outcome| -> () {
            if report.attempts() == 2 {
                peer.note_slowly(format!("{outcome:?}")).await;
                return;
            }
            peer.note("unreachable");
        },
    )]
    async fn with_question_marks(peer: &Peer) -> Outcome {
        peer.ask_slowly().await
    }

    #[tokio::test]
    async fn bodies_return_early_and_use_question_marks_inside() {
        let peer = Peer::never();
        assert_eq!(with_question_marks(&peer).await, Err(Busy(2)));
        let noted = ["wrote 1 of 1", "disk full", "wrote 2 of 2", "disk full", "Err(Busy(2))"];
        assert_eq!(peer.notes(), noted);
    }
}

mod paths {
    use super::*;

    mod inner {
        pub(super) use crate::peer::jot_attempt as renamed;
    }

    static BY_STATIC: fn(&Attempt) = jot_attempt;
    const BY_CONST: fn(&Attempt, &Outcome) = jot_outcome::<Outcome>;

    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before = [jot_attempt, inner::renamed, self::inner::renamed, crate::peer::jot_attempt],
        after = jot_outcome,
        before_sleep = [jot_outcome::<Outcome>, BY_CONST],
        on_give_up = jot_end,
    )]
    fn sync() -> Outcome {
        Err(Busy(0))
    }

    #[test]
    fn name_functions_generic_ones_statics_and_constants() {
        assert!(sync().is_err());
        let first = ["attempt 1"; 4];
        let second = ["attempt 2"; 4];
        let outcome = |n: u32, times| vec![format!("{n} Err(Busy(0))"); times];
        let mut jots: Vec<String> = first.map(str::to_owned).into();
        jots.extend(outcome(1, 3));
        jots.extend(second.map(str::to_owned));
        jots.extend(outcome(2, 1));
        jots.push("attempts after 2: Err(Busy(0))".to_owned());
        assert_eq!(jotted(), jots);
    }

    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before = [jot_attempt, jot_attempt_slowly, BY_STATIC],
        after = jot_outcome_slowly,
        before_sleep = jot_outcome_slowly::<Outcome>,
        on_give_up = jot_end::<Outcome>,
    )]
    async fn asynchronous() -> Outcome {
        Err(Busy(0))
    }

    #[tokio::test]
    async fn name_async_functions_beside_others() {
        assert!(asynchronous().await.is_err());
        let jots = [
            "attempt 1",
            "slowly 1",
            "attempt 1",
            "slowly 1 Err(Busy(0))",
            "slowly 1 Err(Busy(0))",
            "attempt 2",
            "slowly 2",
            "attempt 2",
            "slowly 2 Err(Busy(0))",
            "attempts after 2: Err(Busy(0))",
        ];
        assert_eq!(jotted(), jots);
    }

    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before = on_attempt,
        after = on_outcome,
    )]
    fn by_argument(
        on_attempt: impl Fn(&Attempt),
        on_outcome: &mut dyn FnMut(&Attempt, &Outcome),
    ) -> Outcome {
        Err(Busy(0))
    }

    #[test]
    fn name_arguments() {
        let mut seen = 0;
        let outcome = by_argument(jot_attempt, &mut |_, _| seen += 1);
        assert!(outcome.is_err());
        assert_eq!((seen, jotted().len()), (2, 2));
    }
}

mod expressions {
    use super::*;

    fn jot_with(prefix: &str) -> impl Fn(&Attempt) + '_ {
        move |attempt| jot(format!("{prefix} {}", attempt.number()))
    }

    fn boxed(prefix: &'static str) -> Box<dyn Fn(&Attempt) + Send + Sync> {
        Box::new(jot_with(prefix))
    }

    macro_rules! jot_it {
        () => {
            |attempt| jot(format!("macro {}", attempt.number()))
        };
    }

    struct Client {
        hook: fn(&Attempt),
        boxed: Box<dyn Fn(&Attempt) + Send + Sync>,
        list: Vec<fn(&Attempt)>,
    }

    impl Client {
        fn jot_it(&self) -> impl Fn(&Attempt) + Send + Sync + '_ {
            let fields = self.list.len();
            move |attempt| jot(format!("method {} of {fields}", attempt.number()))
        }

        #[retry(
            stop = attempts(1 + 1),
            wait = none(),
            on = any_error(),
            before = [
                self.hook,
                self.boxed,
                self.list[0],
                self.jot_it(),
                jot_with(name),
                boxed("box"),
                jot_it!(),
                if name.is_empty() { |_: &_| jot("empty") } else { |_: &_| jot("a name") },
                match name { "" => |_: &Attempt| jot("empty"), _ => |a: &Attempt| jot(format!("match {}", a.number())) },
                { let length = name.len(); move |a| jot(format!("length {length} {}", a.number())) },
                |a| (self.hook)(a),
            ],
        )]
        fn sync(&self, name: &str) -> Outcome {
            Err(Busy(0))
        }

        #[retry(
            stop = attempts(1 + 1),
            wait = none(),
            on = any_error(),
            before = [
                self.hook,
                self.boxed,
                self.list[0],
                self.jot_it(),
                jot_with(name),
                boxed("box"),
                jot_it!(),
                if name.is_empty() { |_: &_| jot("empty") } else { |_: &_| jot("a name") },
                match name { "" => |_: &Attempt| jot("empty"), _ => |a: &Attempt| jot(format!("match {}", a.number())) },
                { let length = name.len(); move |a| jot(format!("length {length} {}", a.number())) },
                |a| (self.hook)(a),
            ],
        )]
        async fn asynchronous(&self, name: &str) -> Outcome {
            Err(Busy(0))
        }
    }

    #[tokio::test]
    async fn that_give_something_to_call_are_called() {
        let client = Client { hook: jot_attempt, boxed: boxed("field"), list: vec![jot_attempt] };
        let jots: Vec<_> = [1, 2]
            .into_iter()
            .flat_map(|n| {
                [
                    format!("attempt {n}"),
                    format!("field {n}"),
                    format!("attempt {n}"),
                    format!("method {n} of 1"),
                    format!("call {n}"),
                    format!("box {n}"),
                    format!("macro {n}"),
                    "a name".to_owned(),
                    format!("match {n}"),
                    format!("length 4 {n}"),
                    format!("attempt {n}"),
                ]
            })
            .collect();
        assert!(client.sync("call").is_err());
        assert_eq!(jotted(), jots);
        assert!(client.asynchronous("call").await.is_err());
        assert_eq!(jotted(), jots);
    }
}
