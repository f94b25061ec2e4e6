use super::*;

static SHARED: LazyLock<BoxedPolicy<ApiError>> =
    LazyLock::new(|| policy! { stop = attempts(3), wait = none() }.boxed());

#[derive(Clone, Debug)]
struct Client {
    policy: BoxedPolicy<ApiError>,
}

#[test]
fn a_field_and_a_static_serve_functions_with_any_type_of_success() {
    let client = Client { policy: SHARED.clone() };
    let clone = client.clone();
    assert_eq!(client.policy.call(|| Ok::<u8, ApiError>(1)), Ok(1));
    assert_eq!(clone.policy.call(|| Ok::<&str, ApiError>("one")), Ok("one"));
    assert_eq!(calls(&client.policy, ApiError::Busy), 3);
    assert_eq!(calls(&SHARED, ApiError::NotFound), 1);
    assert_eq!(
        format!("{client:?}"),
        "Client { policy: Policy { name: \"policies::places::SHARED\", stop: Stop(..), \
         wait: Wait(..), on: OnError(..), max_hint: Remaining, idempotent: false } }"
    );
}

#[test]
fn a_boxed_policy_may_be_endless_if_its_type_says_so() {
    let endless: BoxedPolicy<ApiError, stop::Unbounded> =
        policy! { forever, wait = none() }.boxed();
    let mut calls = 0;
    let outcome: Result<(), _> = endless.call(|| {
        calls += 1;
        Err(if calls < 50 { ApiError::Busy } else { ApiError::NotFound })
    });
    assert_eq!((outcome, calls), (Err(ApiError::NotFound), 50));
}

#[test]
fn boxed_policies_of_different_makes_go_into_one_list() {
    fn assert_shareable<T: Clone + Send + Sync + 'static>(_: &T) {}
    let list: Vec<BoxedPolicy<ApiError>> = vec![
        policy! { stop = attempts(2), wait = none() }.boxed(),
        policy! { stop = attempts(4) | within(1h), wait = none(), on = any_error() }.boxed(),
    ];
    assert_shareable(&list);
    let counts: Vec<_> = list.iter().map(|policy| calls(policy, ApiError::Busy)).collect();
    assert_eq!(counts, [2, 4]);
}

fn made_from(attempts: u32) -> Policy<impl Stop<Ends = stop::Bounded>, impl Wait> {
    policy! { stop = attempts(attempts), wait = none() }
}

#[test]
fn a_function_returns_a_policy_made_from_its_arguments() {
    assert_eq!(calls(&made_from(4), ApiError::Busy), 4);
    assert_eq!(calls(&made_from(4), ApiError::NotFound), 1);
}

fn moved(
    first: impl Stop<Ends = stop::Bounded>,
    pause: impl Wait,
) -> Policy<impl Stop<Ends = stop::Bounded>, impl Wait, on::AnyError> {
    policy! { stop = first | attempts(9), wait = pause, on = any_error() }
}

#[test]
fn strategies_from_elsewhere_are_moved_into_the_policy() {
    assert_eq!(calls(&moved(stop::attempts(2), wait::none()), "any"), 2);
}

#[test]
fn one_policy_is_borrowed_by_two_calls_at_once() {
    let policy = policy! { stop = attempts(3), wait = none(), on = any_error() };
    let (mut outer, mut inner) = (0, 0);
    let outcome: Result<(), _> = policy.call(|| {
        outer += 1;
        policy.call(|| {
            inner += 1;
            Err("no")
        })
    });
    assert_eq!((outcome, outer, inner), (Err("no"), 3, 9));
}

#[test]
#[allow(clippy::needless_borrows_for_generic_args)] // references are the point
fn whatever_points_to_a_policy_is_one() {
    fn attempts(policy: impl AsPolicy<On = on::AnyError>) -> u32 {
        let mut schedule = Schedule::new(policy);
        while matches!(schedule.failed(&Err::<(), _>("no")), Step::Wait(_)) {}
        schedule.attempts()
    }
    let policy = policy! { stop = attempts(3), wait = none(), on = any_error() };
    let lazy = LazyLock::new(|| policy);
    assert_eq!(attempts(policy), 3);
    assert_eq!(attempts(&policy), 3);
    assert_eq!(attempts(&&policy), 3);
    assert_eq!(attempts(Box::new(policy)), 3);
    assert_eq!(attempts(Rc::new(policy)), 3);
    assert_eq!(attempts(Arc::new(policy)), 3);
    assert_eq!(attempts(&lazy), 3);
    assert_eq!(attempts(lazy), 3);
}

#[test]
fn an_endless_policy_and_an_endless_schedule_are_fields_of_a_type_that_says_so() {
    struct Link {
        connect: BoxedPolicy<ApiError, stop::Unbounded>,
        reconnect: Schedule<retry::Pace<stop::Unbounded>>,
    }
    impl Link {
        #[retry::retry(forever, policy = self.connect)]
        fn up(&self, calls: &mut u32) -> Result<u32, ApiError> {
            *calls += 1;
            if *calls < 40 { Err(ApiError::Busy) } else { Ok(*calls) }
        }
    }
    let pace = policy! { forever, wait = exponential(1s).cap(4s) };
    let mut link = Link {
        connect: policy! { forever, wait = none() }.boxed(),
        reconnect: pace.into_schedule(),
    };
    assert_eq!(link.up(&mut 0), Ok(40));
    let mut calls = 0;
    let outcome = link.connect.call(|| {
        calls += 1;
        if calls < 40 { Err(ApiError::Busy) } else { Ok(calls) }
    });
    assert_eq!(outcome, Ok(40));
    let mut lost = || link.reconnect.failed_with(Verdict::Retry).delay().unwrap().as_secs();
    assert_eq!([lost(), lost(), lost(), lost()], [1, 2, 4, 4]);
}

#[test]
fn a_limit_that_may_be_missing_stands_beside_forever_everywhere() {
    struct Job {
        most: Option<u32>,
    }
    impl Job {
        #[retry::retry(forever, stop = self.most.map(attempts), wait = none(), on = any_error())]
        fn by_attribute(&self, calls: &mut u32) -> Result<u32, u32> {
            next(calls)
        }

        fn by_block(&self, calls: &mut u32) -> Result<u32, u32> {
            retry::block!(
                forever,
                stop = self.most.map(attempts),
                wait = none(),
                on = any_error(),
                || next(calls)
            )
        }

        fn by_policy(&self, calls: &mut u32) -> Result<u32, u32> {
            let most = self.most;
            let policy: BoxedPolicy<u32, stop::Unbounded> = policy! {
                forever, stop = most.map(attempts), wait = none(), on = any_error()
            }
            .boxed();
            policy.call(|| next(calls))
        }

        fn by_schedule(&self, calls: &mut u32) -> Result<u32, u32> {
            let most = self.most;
            let policy = policy! { forever, stop = most.map(attempts), wait = none() };
            let mut schedule: Schedule<retry::Pace<stop::Unbounded>> = policy.into_schedule();
            loop {
                let outcome = next(calls);
                if outcome.is_ok() || schedule.failed_with(Verdict::Retry).delay().is_err() {
                    return outcome;
                }
            }
        }
    }
    fn next(calls: &mut u32) -> Result<u32, u32> {
        *calls += 1;
        if *calls < 30 { Err(*calls) } else { Ok(*calls) }
    }
    let doors = [Job::by_attribute, Job::by_block, Job::by_policy, Job::by_schedule];
    for (index, door) in doors.into_iter().enumerate() {
        assert_eq!(door(&Job { most: None }, &mut 0), Ok(30), "{index}");
        assert_eq!(door(&Job { most: Some(4) }, &mut 0), Err(4), "{index}");
    }
}
