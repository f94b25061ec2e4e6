//! `stop` and `wait`: the library's strategies, the user's own, and expressions that choose.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use retry::stop::{Attempts, Bounded, Unbounded};
use retry::{Delay, State, Stop, Verdict, Wait, retry};

use crate::flaky::{Busy, Flaky};
use crate::support::all_ms;

const MS: Duration = Duration::from_millis(1);

/// Makes a function whose sleeps are noted instead of slept, and checks how often it was called
/// and what it would have slept.
macro_rules! schedule {
    ($($keys:tt)*) => {{
        let slept = RefCell::new(Vec::new());
        let flaky = Flaky::never();
        let result: Result<u32, Busy> = retry::block!(
            $($keys)*,
            on = any_error(),
            sleep = |pause: Duration| slept.borrow_mut().push(pause),
            || flaky.ask()
        );
        assert_eq!(result, Err(Busy));
        // A pause of zero is not slept.
        (flaky.asked(), slept.into_inner())
    }};
}

/// Gives up at an even attempt, one day.
#[derive(Clone, Copy)]
struct Even;

impl Stop for Even {
    type Ends = Bounded;
    fn stop(&self, state: &State) -> bool {
        state.attempt() % 2 == 0
    }
}

/// Gives up when the other side is overloaded, which may never be.
struct Throttled;

impl Stop for Throttled {
    type Ends = Unbounded;
    fn stop(&self, state: &State) -> bool {
        state.verdict().is_throttled()
    }
}

struct Squares;

impl Wait for Squares {
    fn delay(&self, state: &State) -> Delay {
        (MS * state.wait() * state.wait()).into()
    }
}

fn stop_at_three(state: &State) -> bool {
    state.attempt() >= 3
}

fn ten_each(state: &State) -> Duration {
    10 * MS * state.wait()
}

fn one_more(by: u32) -> impl Fn(&State) -> Duration {
    move |state| MS * (state.wait() + by)
}

fn half_jittered(_: &State) -> Delay {
    Delay::between(4 * MS, 8 * MS)
}

mod mine {
    pub(super) fn attempts(n: u32) -> retry::stop::Attempts {
        retry::stop::attempts(n + 1)
    }

    pub(super) const LIMIT: retry::stop::Attempts = retry::stop::attempts(3);
    pub(super) static WAIT: super::Squares = super::Squares;
}

#[test]
fn a_type_of_the_users_own_stops_from_both_sides_of_an_operator() {
    assert_eq!(schedule!(stop = Even, wait = none()).0, 2);
    assert_eq!(schedule!(stop = Even | attempts(3), wait = none()).0, 2);
    assert_eq!(schedule!(stop = attempts(3) | Even, wait = none()).0, 2);
    assert_eq!(schedule!(stop = Even & attempts(3), wait = none()).0, 4);
    assert_eq!(schedule!(stop = attempts(3) & Even, wait = none()).0, 4);
    assert_eq!(schedule!(stop = Throttled | attempts(3), wait = none()).0, 3);
    assert_eq!(schedule!(stop = (Throttled | Even) | attempts(9), wait = none()).0, 2);
    assert_eq!(schedule!(stop = Even & (attempts(3) | attempts(4)), wait = none()).0, 4);
}

#[test]
fn a_function_stops_from_both_sides_of_an_operator() {
    assert_eq!(schedule!(stop = stop_at_three | attempts(9), wait = none()).0, 3);
    assert_eq!(schedule!(stop = attempts(9) | stop_at_three, wait = none()).0, 3);
    assert_eq!(schedule!(stop = when(stop_at_three) | attempts(9), wait = none()).0, 3);
    assert_eq!(schedule!(stop = (|s| s.attempt() >= 3) | attempts(9), wait = none()).0, 3);
    assert_eq!(schedule!(stop = attempts(9) | (|s| s.attempt() >= 3), wait = none()).0, 3);
    assert_eq!(schedule!(stop = attempts(9) | |s| s.attempt() >= 3, wait = none()).0, 3);
    assert_eq!(
        schedule!(stop = attempts(9) | when(|s: &State| s.attempt() >= 3), wait = none()).0,
        3
    );
    assert_eq!(
        schedule!(stop = (|s| s.attempt() >= 3) & attempts(2) | attempts(9), wait = none()).0,
        3
    );
    assert_eq!(schedule!(stop = |s| s.attempt() >= 3, forever, wait = none()).0, 3);
    assert_eq!(schedule!(stop = stop_at_three, forever, wait = none()).0, 3);
}

#[test]
fn a_path_reaches_what_is_the_users_own() {
    assert_eq!(schedule!(stop = mine::attempts(3), wait = none()).0, 4);
    assert_eq!(schedule!(stop = self::mine::attempts(3) | attempts(9), wait = none()).0, 4);
    assert_eq!(schedule!(stop = mine::LIMIT, wait = none()).0, 3);
    assert_eq!(schedule!(stop = retry::stop::attempts(3), wait = retry::wait::none()).0, 3);
    assert_eq!(schedule!(stop = attempts(2), wait = mine::WAIT).1, all_ms([1]));
}

#[test]
fn limits_in_time_are_kept() {
    // Every limit is over at once, or so far off that attempts end first.
    let soon = Instant::now();
    assert_eq!(schedule!(stop = within(1ms), wait = by(|_| 1ms)).0, 1);
    assert_eq!(schedule!(stop = within(1h) | attempts(3), wait = none()).0, 3);
    assert_eq!(schedule!(stop = within(1ms) & attempts(3), wait = by(|_| 1ms)).0, 3);
    assert_eq!(schedule!(stop = until(soon), wait = none()).0, 1);
    assert_eq!(schedule!(stop = until(soon + 1h) | attempts(3), wait = none()).0, 3);
    assert_eq!(schedule!(stop = elapsed(1h) | attempts(3), wait = fixed(2h)).0, 3);
    assert_eq!(
        schedule!(
            stop = elapsed(1ns),
            wait = |_| {
                std::thread::sleep(MS);
                MS
            }
        )
        .0,
        1
    );
}

#[test]
fn a_literal_is_a_duration_wherever_it_stands() {
    assert_eq!(schedule!(stop = attempts(2), wait = fixed(1.5s)).1, all_ms([1500]));
    assert_eq!(schedule!(stop = attempts(2), wait = fixed(1_000us * 3)).1, all_ms([3]));
    assert_eq!(schedule!(stop = attempts(2), wait = fixed(1s + 5ms)).1, all_ms([1005]));
    assert_eq!(
        schedule!(
            stop = attempts(2),
            wait = fixed({
                let x = 2m;
                x / 2
            })
        )
        .1,
        all_ms([60_000])
    );
    assert_eq!(schedule!(stop = attempts(2), wait = sequence(vec![1ms, 2ms])).1, all_ms([1]));
    assert_eq!(schedule!(stop = attempts(2), wait = |s| s.attempt() * 1d).1, all_ms([86_400_000]));
}

#[test]
fn the_waits_of_the_library_are_slept() {
    assert_eq!(schedule!(stop = attempts(4), wait = none()).1, []);
    assert_eq!(schedule!(stop = attempts(4), wait = linear(1ms, 2ms)).1, all_ms([1, 3, 5]));
    assert_eq!(schedule!(stop = attempts(4), wait = exponential(1ms)).1, all_ms([1, 2, 4]));
    assert_eq!(
        schedule!(stop = attempts(4), wait = exponential(1ms).factor(3)).1,
        all_ms([1, 3, 9])
    );
    assert_eq!(schedule!(stop = attempts(5), wait = fibonacci(1ms)).1, all_ms([1, 1, 2, 3]));
    assert_eq!(schedule!(stop = attempts(4), wait = sequence([3ms, 1ms])).1, all_ms([3, 1, 1]));
    assert_eq!(
        schedule!(stop = attempts(4), wait = fixed(1ms).times(2).then(linear(7ms, 1ms))).1,
        all_ms([1, 1, 7])
    );
    assert_eq!(
        schedule!(stop = attempts(4), wait = exponential(1ms).max(fixed(2ms))).1,
        all_ms([2, 2, 4])
    );
    assert_eq!(
        schedule!(stop = attempts(4), wait = exponential(1ms).min(fixed(2ms)) + fixed(1ms)).1,
        all_ms([2, 3, 3])
    );
    assert_eq!(
        schedule!(stop = attempts(3), wait = (fixed(1ms) + fixed(2ms)).cap(2ms)).1,
        all_ms([2, 2])
    );
    for slept in schedule!(stop = attempts(9), wait = random(1ms..3ms)).1 {
        assert!((MS..3 * MS).contains(&slept));
    }
    for slept in schedule!(stop = attempts(9), wait = decorrelated(1ms, 5ms)).1 {
        assert!((MS..=5 * MS).contains(&slept));
    }
}

#[test]
fn a_wait_of_the_users_own_is_shaped_and_joined_like_the_librarys() {
    assert_eq!(schedule!(stop = attempts(4), wait = Squares).1, all_ms([1, 4, 9]));
    assert_eq!(schedule!(stop = attempts(4), wait = Squares.cap(5ms)).1, all_ms([1, 4, 5]));
    assert_eq!(schedule!(stop = attempts(4), wait = Squares + fixed(1ms)).1, all_ms([2, 5, 10]));
    assert_eq!(schedule!(stop = attempts(4), wait = fixed(1ms) + Squares).1, all_ms([2, 5, 10]));
    assert_eq!(schedule!(stop = attempts(4), wait = fixed(3ms).max(Squares)).1, all_ms([3, 4, 9]));
    assert_eq!(
        schedule!(stop = attempts(4), wait = Squares.times(1).then(Squares)).1,
        all_ms([1, 1, 4])
    );
}

#[test]
fn a_function_is_shaped_and_joined_like_a_wait() {
    assert_eq!(schedule!(stop = attempts(3), wait = ten_each).1, all_ms([10, 20]));
    assert_eq!(schedule!(stop = attempts(3), wait = by(ten_each).cap(15ms)).1, all_ms([10, 15]));
    assert_eq!(schedule!(stop = attempts(3), wait = ten_each + fixed(1ms)).1, all_ms([11, 21]));
    assert_eq!(schedule!(stop = attempts(3), wait = fixed(1ms) + ten_each).1, all_ms([11, 21]));
    assert_eq!(schedule!(stop = attempts(3), wait = fixed(15ms).min(ten_each)).1, all_ms([10, 15]));
    assert_eq!(schedule!(stop = attempts(3), wait = fixed(15ms).max(|_| 20ms)).1, all_ms([20, 20]));
    assert_eq!(schedule!(stop = attempts(3), wait = one_more(1)).1, all_ms([2, 3]));
    assert_eq!(
        schedule!(stop = attempts(3), wait = self::one_more(1) + fixed(1ms)).1,
        all_ms([3, 4])
    );
    assert_eq!(schedule!(stop = attempts(3), wait = |s| 2ms * s.attempt()).1, all_ms([2, 4]));
    assert_eq!(
        schedule!(stop = attempts(3), wait = (|s| 2ms * s.attempt()).cap(3ms) + fixed(1ms)).1,
        all_ms([3, 4])
    );
    assert_eq!(schedule!(stop = attempts(3), wait = |_| Delay::fixed(1ms)).1, all_ms([1, 1]));
    assert_eq!(schedule!(stop = attempts(2), wait = half_jittered).1, all_ms([4]));
    let slept = schedule!(
        stop = attempts(9),
        wait = (|s| 2ms * s.attempt()).cap(3ms).full_jitter() + fixed(1ms)
    )
    .1;
    assert_eq!(slept.len(), 8);
    assert!(slept.iter().all(|slept| (MS..=4 * MS).contains(slept)));
}

#[test]
fn a_variable_is_borrowed_and_not_moved() {
    let stop: Box<dyn Stop<Ends = Bounded>> = Box::new(Even);
    let wait: Arc<dyn Wait + Send + Sync> = Arc::new(Squares);
    let closure = |state: &State| MS * state.attempt();
    assert_eq!(schedule!(stop = stop | attempts(4), wait = wait.cap(3ms)), (2, all_ms([1])));
    assert_eq!(schedule!(stop = stop, wait = wait), (2, all_ms([1])));
    assert_eq!(schedule!(stop = attempts(3), wait = wait + closure), (3, all_ms([2, 6])));
    assert_eq!(schedule!(stop = attempts(3), wait = closure), (3, all_ms([1, 2])));
    drop((stop, wait));
}

#[test]
fn a_strategy_is_chosen_by_if_match_or_block() {
    let slow = [false, true];
    for (slow, expected) in slow.into_iter().zip([(2, 1), (4, 9)]) {
        let (asked, slept) = schedule!(
            stop = if slow { attempts(4) } else { attempts(2) },
            wait = match slow {
                true => fixed(9ms),
                false => fixed(1ms),
            }
        );
        assert_eq!(asked, expected.0);
        assert_eq!(slept[0], MS * expected.1);
    }
    let (asked, slept) = schedule!(
        stop = (if slow[1] { attempts(4) } else { attempts(2) }) | attempts(3),
        wait = {
            let base = 2ms;
            exponential(base).cap(3ms)
        }
    );
    assert_eq!((asked, slept), (3, all_ms([2, 3])));
    // Of one type where the arms are of several.
    let boxed = |slow| -> Box<dyn Wait> {
        if slow { Box::new(Squares) } else { Box::new(retry::wait::none()) }
    };
    assert_eq!(schedule!(stop = attempts(2), wait = boxed(true)).1, all_ms([1]));
    assert_eq!(schedule!(stop = attempts(2), wait = boxed(false)).1, []);
}

#[test]
fn an_optional_bound_holds_where_it_is_given() {
    for (max, asked) in [(Some(2), 2), (None, 4)] {
        assert_eq!(schedule!(stop = max.map(attempts) | attempts(4), wait = none()).0, asked);
        assert_eq!(
            schedule!(stop = attempts(4) | max.map(|n| attempts(n)), wait = none()).0,
            asked
        );
    }
    let limit = Some(MS);
    assert_eq!(schedule!(stop = limit.map(within) | attempts(3), wait = by(|_| 1ms)).0, 1);
    assert_eq!(schedule!(stop = Some(2).map(attempts), forever, wait = none()).0, 2);
    assert_eq!(schedule!(stop = Some(2).map_or(attempts(9), attempts), wait = none()).0, 2);
    assert_eq!(schedule!(stop = None::<Attempts> | attempts(3), wait = none()).0, 3);
}

/// Neither strategy can be copied.
struct Policy {
    stop: Box<dyn Stop<Ends = Bounded> + Send + Sync>,
    wait: Arc<dyn Wait + Send + Sync>,
    stops: Vec<Attempts>,
    max: Option<u32>,
    limit: Duration,
}

struct Client {
    flaky: Flaky,
    policy: Policy,
}

impl Client {
    fn new() -> Self {
        let policy = Policy {
            stop: Box::new(retry::stop::attempts(3)),
            wait: Arc::new(retry::wait::fixed(MS)),
            stops: vec![retry::stop::attempts(3)],
            max: Some(3),
            limit: Duration::from_secs(3600),
        };
        Self { flaky: Flaky::never(), policy }
    }

    #[retry(stop = self.policy.stop, wait = self.policy.wait, on = any_error())]
    async fn fields(&self) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[retry(stop = self.policy.stop | attempts(9), wait = self.policy.wait.cap(1ms) + none(), on = any_error())]
    async fn joined_fields(&mut self) -> Result<u32, Busy> {
        self.flaky.ask_slowly().await
    }

    #[retry(stop = self.policy.stops[0], wait = *self.policy.wait, on = any_error())]
    fn indexed(&self) -> Result<u32, Busy> {
        self.flaky.ask()
    }

    #[retry(stop = self.policy.max.map(attempts) | within(self.policy.limit), wait = self.wait(), on = any_error())]
    fn optional(&self) -> Result<u32, Busy> {
        self.flaky.ask()
    }

    fn wait(&self) -> impl Wait + '_ {
        &self.policy.wait
    }
}

#[tokio::test]
async fn a_field_that_is_not_copy_is_borrowed() {
    let mut client = Client::new();
    assert_eq!(client.fields().await, Err(Busy));
    assert_eq!(client.flaky.asked(), 3);
    assert_eq!(client.joined_fields().await, Err(Busy));
    assert_eq!(client.flaky.asked(), 6);
    assert_eq!(client.indexed(), Err(Busy));
    assert_eq!(client.flaky.asked(), 9);
    assert_eq!(client.optional(), Err(Busy));
    assert_eq!(client.flaky.asked(), 12);
}

#[retry(stop = stop, wait = wait, on = any_error())]
async fn arguments(
    stop: impl Stop<Ends = Bounded>,
    wait: Box<dyn Wait>,
    flaky: &Flaky,
) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

#[retry(stop = attempts(n), wait = fixed(delay), on = any_error())]
fn numbers(n: u32, delay: Duration, flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[tokio::test]
async fn a_strategy_may_be_an_argument_or_made_of_some() {
    let flaky = Flaky::never();
    assert_eq!(arguments(Even, Box::new(Squares), &flaky).await, Err(Busy));
    assert_eq!(flaky.asked(), 2);
    assert_eq!(numbers(3, MS, &flaky), Err(Busy));
    assert_eq!(flaky.asked(), 5);
}

#[retry(
    stop = attempts(limit.get()),
    wait = |state| { delays.borrow_mut().push(state.attempt()); 0s },
    on = |_| { limit.set(limit.get() - 1); true },
)]
fn live(
    limit: &std::cell::Cell<u32>,
    delays: &RefCell<Vec<u32>>,
    flaky: &Flaky,
) -> Result<u32, Busy> {
    flaky.ask()
}

#[test]
fn keys_are_looked_at_afresh_after_every_failure() {
    let (limit, delays, flaky) = (std::cell::Cell::new(6), RefCell::default(), Flaky::never());
    assert_eq!(live(&limit, &delays, &flaky), Err(Busy));
    // The limit comes down as the attempts go up, and they meet at three.
    assert_eq!((limit.get(), flaky.asked()), (3, 3));
    assert_eq!(*delays.borrow(), [1, 2, 3]);
}

#[retry(
    stop = attempts(4),
    wait = fixed(1ms).throttled(fixed(50ms)),
    on = |busy| if self::overloaded(busy, flaky) { Verdict::Retry.throttled() } else { Verdict::Retry },
    sleep = |pause| slept.borrow_mut().push(pause)
)]
fn throttled(flaky: &Flaky, slept: &RefCell<Vec<Duration>>) -> Result<u32, Busy> {
    flaky.ask()
}

fn overloaded(_: &Busy, flaky: &Flaky) -> bool {
    flaky.asked() == 2
}

#[test]
fn a_throttled_verdict_is_waited_for_its_own_way() {
    let slept = RefCell::default();
    assert_eq!(throttled(&Flaky::never(), &slept), Err(Busy));
    assert_eq!(slept.into_inner(), all_ms([1, 50, 1]));
}
