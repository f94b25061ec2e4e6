use super::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum E {
    Busy,
    Reset,
    Schema,
}

/// How many attempts a call makes that fails with these errors one after the other, the last
/// one for ever.
macro_rules! attempts_of {
    ($on:ident, $errors:expr) => {{
        let mut log = Log::new();
        $on(&mut log, &$errors).unwrap_err();
        log.attempts()
    }};
}

macro_rules! function {
    ($name:ident, $($on:tt)+) => {
        #[retry(stop = attempts(10), wait = none(), on = $($on)+)]
        fn $name(log: &mut Log, errors: &[E]) -> Result<(), E> {
            let attempt = usize::try_from(log.attempt()).unwrap();
            Err(errors[attempt.min(errors.len()) - 1])
        }
    };
}

#[test]
fn a_condition_grants_no_more_than_its_retries_in_every_call_anew() {
    function!(call, any_error().at_most(2));
    for _ in 0..3 {
        assert_eq!(attempts_of!(call, [E::Busy]), 3);
    }
}

#[test]
fn each_condition_counts_only_what_it_has_granted() {
    function!(
        call,
        matches(Err(E::Busy))
            | matches(Err(E::Schema)).at_most(2)
            | (|e| *e == E::Reset).at_most(1)
    );
    assert_eq!(attempts_of!(call, [E::Busy]), 10);
    assert_eq!(attempts_of!(call, [E::Schema]), 3);
    assert_eq!(attempts_of!(call, [E::Reset]), 2);
    assert_eq!(attempts_of!(call, [E::Reset, E::Schema, E::Busy, E::Schema, E::Schema]), 5);
    assert_eq!(attempts_of!(call, [E::Busy, E::Reset, E::Busy, E::Reset]), 4);
}

#[test]
fn a_limit_around_several_conditions_is_shared_by_them() {
    function!(call, (matches(Err(E::Busy)) | matches(Err(E::Schema))).at_most(2));
    assert_eq!(attempts_of!(call, [E::Busy, E::Schema, E::Busy]), 3);
    assert_eq!(attempts_of!(call, [E::Reset]), 1);
}

#[test]
fn a_limit_within_a_limit_counts_too() {
    function!(call, (matches(Err(E::Busy)).at_most(1) | matches(Err(E::Schema))).at_most(3));
    assert_eq!(attempts_of!(call, [E::Busy]), 2);
    assert_eq!(attempts_of!(call, [E::Schema]), 4);
    assert_eq!(attempts_of!(call, [E::Busy, E::Schema]), 4);
}

#[test]
fn a_limit_joined_with_and_limits_the_whole() {
    function!(call, any_error().at_most(3) & (|e| *e != E::Reset));
    assert_eq!(attempts_of!(call, [E::Busy]), 4);
    assert_eq!(attempts_of!(call, [E::Busy, E::Reset]), 2);
    function!(both, any_error().at_most(3) & any_error().at_most(2));
    assert_eq!(attempts_of!(both, [E::Busy]), 3);
}

#[test]
fn the_number_may_come_from_an_argument_and_may_be_zero() {
    #[retry(stop = attempts(10), wait = none(), on = any_error().at_most(n))]
    fn call(log: &mut Log, n: u32) -> Result<(), u32> {
        Err(log.attempt())
    }
    for n in [0, 1, 4] {
        assert_eq!(call(&mut Log::new(), n), Err(n + 1));
    }
}

#[tokio::test(start_paused = true)]
async fn concurrent_calls_count_for_themselves() {
    #[retry(stop = attempts(10), wait = fixed(10ms), on = any_error().at_most(3))]
    async fn call(log: &mut Log) -> Result<(), u32> {
        Err(log.attempt())
    }
    let (mut a, mut b, mut c) = (Log::new(), Log::new(), Log::new());
    let results = tokio::join!(call(&mut a), call(&mut b), call(&mut c));
    assert_eq!(results, (Err(4), Err(4), Err(4)));
}

#[test]
fn a_call_within_its_own_body_counts_for_itself() {
    #[retry(stop = attempts(10), wait = none(), on = any_error().at_most(2))]
    fn call(log: &mut Vec<u32>, depth: u32) -> Result<(), u32> {
        log.push(depth);
        if depth > 0 {
            call(log, depth - 1)?;
        }
        Err(depth)
    }
    let mut log = Vec::new();
    // `?` hands the innermost failure out.
    assert_eq!(call(&mut log, 2), Err(0));
    // 3 attempts at each depth for every one around it.
    let at = |depth| log.iter().filter(|it| **it == depth).count();
    assert_eq!((at(2), at(1), at(0)), (3, 9, 27));
}
