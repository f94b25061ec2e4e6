use super::*;
use crate::policy::policy::Policy;
use crate::strategy::on::{AnyError, any_error, error};
use crate::strategy::stop::{self, attempts, within};
use crate::strategy::wait::{self, by, exponential, fixed};
use crate::verdict::verdict::Verdict;
use crate::{MaxHint, Wait};

const FAILED: Result<(), u16> = Err(503);
const S: Duration = Duration::from_secs(1);

fn patient() -> Policy<stop::Within, wait::Fixed, AnyError> {
    Policy::new(within(10 * S), fixed(S), any_error())
}

#[test]
fn the_clock_starts_with_the_first_failure() {
    let made = Instant::now();
    let policy = patient();
    let mut schedule = policy.schedule();
    let late = made + 3600 * S;
    assert_eq!(schedule.failed_at(late, &FAILED), Step::Wait(S));
    assert_eq!(schedule.failed_at(late + 8 * S, &FAILED), Step::Wait(S));
    assert_eq!(schedule.failed_at(late + 9 * S, &FAILED), Step::Stop(StopReason::Time));
}

#[test]
fn a_started_clock_counts_the_first_attempt() {
    let start = Instant::now();
    let mut schedule = Schedule::new(patient());
    schedule.start_at(start);
    assert_eq!(schedule.failed_at(start + 9 * S, &FAILED), Step::Stop(StopReason::Time));
}

#[test]
fn a_reset_gives_back_count_backoff_and_time() {
    let start = Instant::now();
    let stop = attempts(3) | within(10 * S);
    let policy = Policy::new(stop, exponential(S), any_error());
    let mut schedule = policy.schedule();
    schedule.start_at(start);
    assert_eq!(schedule.failed_at(start, &FAILED), Step::Wait(S));
    assert_eq!(schedule.failed_at(start + S, &FAILED), Step::Wait(2 * S));
    schedule.reset();
    assert_eq!(schedule.attempts(), 0);
    let later = start + 60 * S;
    assert_eq!(schedule.failed_at(later, &FAILED), Step::Wait(S));
    assert_eq!(schedule.failed_at(later + S, &FAILED), Step::Wait(2 * S));
    assert_eq!(schedule.failed_at(later + 3 * S, &FAILED), Step::Stop(StopReason::Attempts));
    assert_eq!(schedule.attempts(), 3);
}

#[test]
fn a_final_outcome_stops_and_says_whether_it_is_a_success() {
    let now = Instant::now();
    let on = error(|status: &u16| *status >= 500);
    let policy = Policy::new(attempts(3), fixed(S), on);
    let mut schedule = policy.schedule();
    let step = |schedule: &mut Schedule<_>, outcome| schedule.failed_at(now, &outcome);
    assert_eq!(step(&mut schedule, Ok(())), Step::Stop(StopReason::Success));
    assert_eq!(step(&mut schedule, Err(404)), Step::Stop(StopReason::Permanent));
    assert_eq!(schedule.attempts(), 2);
}

#[test]
fn what_the_policy_says_of_hints_and_of_ambiguity_holds() {
    let now = Instant::now();
    let on = error(|status: &u16| match status {
        504 => Verdict::Ambiguous,
        _ => Verdict::Retry.retry_after(30 * S),
    });
    let policy = Policy::new(attempts(3), fixed(S), on);
    let step = |policy: Policy<_, _, _>, status| {
        Schedule::new(policy).failed_at(now, &Err::<(), u16>(status))
    };
    assert_eq!(step(policy, 504), Step::Stop(StopReason::Ambiguous));
    assert_eq!(step(policy.with_idempotent(true), 504), Step::Wait(S));
    assert_eq!(step(policy, 503), Step::Wait(30 * S));
    let impatient = policy.with_max_hint(MaxHint::GiveUpAbove(5 * S));
    assert_eq!(step(impatient, 503), Step::Stop(StopReason::HintTooLong));
    let clamped = policy.with_max_hint(MaxHint::Clamp(5 * S));
    assert_eq!(step(clamped, 503), Step::Wait(5 * S));
}

#[test]
fn an_attempt_begins_when_the_wait_before_it_is_over() {
    let start = Instant::now();
    let wait = by(|state: &State| state.last_attempt().unwrap_or(S));
    let mut schedule = Schedule::new(Policy::new(attempts(9), wait, any_error()));
    assert_eq!(schedule.failed_at(start, &FAILED), Step::Wait(S));
    assert_eq!(schedule.failed_at(start + 4 * S, &FAILED), Step::Wait(3 * S));
}

#[test]
fn a_failure_that_somebody_else_has_judged_needs_no_outcome() {
    let mut schedule = Policy::new(attempts(3), exponential(S), any_error()).into_schedule();
    assert_eq!(schedule.failed_with(Verdict::Retry), Step::Wait(S));
    let asked = Verdict::Retry.retry_after(5 * S);
    assert_eq!(schedule.failed_with(asked), Step::Wait(5 * S));
    assert_eq!(schedule.failed_with(Verdict::Retry), Step::Stop(StopReason::Attempts));
    schedule.reset();
    assert_eq!(schedule.failed_with(Verdict::Final), Step::Stop(StopReason::Permanent));
    schedule.reset();
    assert_eq!(schedule.failed_with(Verdict::Ambiguous), Step::Stop(StopReason::Ambiguous));
}

#[test]
fn it_can_be_asked_how_many_attempts_are_left_and_whether_it_is_used_up() {
    let mut schedule = Schedule::new(Policy::new(attempts(2), fixed(S), any_error()));
    assert_eq!((schedule.left(), schedule.is_used_up()), (Some(2), false));
    let _ = schedule.failed(&FAILED);
    assert_eq!((schedule.left(), schedule.is_used_up()), (Some(1), false));
    let _ = schedule.failed(&FAILED);
    assert_eq!((schedule.left(), schedule.is_used_up()), (Some(0), true));
    assert_eq!(schedule.stopped(), Some(StopReason::Attempts));
    schedule.reset();
    assert_eq!((schedule.left(), schedule.is_used_up()), (Some(2), false));
    let _ = schedule.failed(&Ok::<(), u16>(()));
    assert_eq!((schedule.stopped(), schedule.is_used_up()), (Some(StopReason::Success), false));
}

#[test]
fn one_that_is_limited_in_time_does_not_know_what_is_left_but_that_it_is_used_up() {
    let start = Instant::now();
    let mut schedule = Schedule::new(patient());
    assert_eq!((schedule.left(), schedule.is_used_up()), (None, false));
    let _ = schedule.failed_at(start, &FAILED);
    let _ = schedule.failed_at(start + 10 * S, &FAILED);
    assert_eq!((schedule.left(), schedule.is_used_up()), (None, true));
}

#[test]
fn one_that_is_resumed_counts_and_grows_from_the_stored_number() {
    let now = Instant::now();
    let stop = attempts(4) | within(60 * S);
    let mut schedule = Schedule::new(Policy::new(stop, exponential(S), any_error()));
    schedule.resume(2);
    assert_eq!((schedule.attempts(), schedule.left()), (2, Some(2)));
    assert_eq!(schedule.failed_at(now, &FAILED), Step::Wait(4 * S));
    let last = schedule.failed_at(now + 4 * S, &FAILED);
    assert_eq!((last, schedule.attempts()), (Step::Stop(StopReason::Attempts), 4));
    schedule.resume(4);
    assert!(schedule.is_used_up(), "there is no point in another attempt");
    assert_eq!(schedule.failed_at(now, &FAILED), Step::Stop(StopReason::Attempts));
    schedule.resume(u32::MAX);
    assert_eq!(schedule.failed_at(now, &FAILED), Step::Stop(StopReason::Attempts));
    schedule.reset();
    assert_eq!(schedule.failed_at(now, &FAILED), Step::Wait(S));
}

#[test]
fn the_time_before_it_was_resumed_does_not_count() {
    let now = Instant::now();
    let mut schedule = Schedule::new(patient());
    schedule.resume(7);
    assert_eq!(schedule.failed_at(now, &FAILED), Step::Wait(S));
    assert_eq!(schedule.failed_at(now + 8 * S, &FAILED), Step::Wait(S));
    assert_eq!(schedule.failed_at(now + 9 * S, &FAILED), Step::Stop(StopReason::Time));
}

#[test]
fn a_clone_goes_on_from_the_same_point_by_itself() {
    let mut schedule = Policy::new(attempts(3), exponential(S), any_error()).into_schedule();
    let _ = schedule.failed_with(Verdict::Retry);
    let mut clone = schedule.clone();
    assert_eq!(clone.failed_with(Verdict::Retry), Step::Wait(2 * S));
    assert_eq!(clone.left(), Some(1));
    assert_eq!(schedule.left(), Some(2));
    assert_eq!(schedule.failed_with(Verdict::Retry), Step::Wait(2 * S));
}

#[test]
fn clones_do_not_come_back_together() {
    let wait = fixed(1000 * S).full_jitter();
    let mut schedule = Policy::new(attempts(9), wait, any_error()).into_schedule();
    let _ = schedule.failed_with(Verdict::Retry);
    let mut clone = schedule.clone();
    let delay = |schedule: &mut Schedule| schedule.failed_with(Verdict::Retry).delay();
    let both = |_| delay(&mut schedule) == delay(&mut clone);
    assert!(!(0..3).all(both));
}
