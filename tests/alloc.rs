//! What a call allocates: nothing until an attempt fails, and at most once after that, however
//! often it fails.

// A global allocator that counts cannot be written without; it does nothing but count.
#![allow(unsafe_code)]
#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(clippy::items_after_statements)] // a function stands beside what it is asked
#![allow(missing_docs, unreachable_pub)]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::pin::pin;
use std::time::Duration;

use retry::{State, Stop, Verdict, retry};

use support::polling::{finish, poll};
use support::{on_one_thread, paused};

struct Counting;

thread_local! {
    /// Of this thread only: the harness runs tests on others.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static FREED: Cell<usize> = const { Cell::new(0) };
}

fn count_one() {
    // A thread that is ending has nothing to count any more.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one();
        // SAFETY: the caller's promises are those asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count_one();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count_one();
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let _ = FREED.try_with(|count| count.set(count.get() + 1));
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations `f` makes on this thread.
fn allocations<T>(f: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATIONS.get();
    let value = f();
    (value, ALLOCATIONS.get() - before)
}

/// The body of all functions here: fails `failures` times, then succeeds.
struct Flaky {
    calls: u32,
    failures: u32,
}

impl Flaky {
    const fn failing(failures: u32) -> Self {
        Self { calls: 0, failures }
    }

    fn call(&mut self) -> Result<u32, u32> {
        self.calls += 1;
        if self.calls > self.failures { Ok(self.calls) } else { Err(self.calls) }
    }
}

/// The allocations of one call under the keys, of a sync function and of an async one that
/// sleeps by itself; the two must agree.
macro_rules! allocated {
    ($failures:expr, $($key:tt)+) => {{
        #[retry($($key)+, sleep = |_| ())]
        fn sync(flaky: &mut Flaky) -> Result<u32, u32> {
            flaky.call()
        }
        #[retry($($key)+, sleep = |_| std::future::ready(()))]
        async fn not_sync(flaky: &mut Flaky) -> Result<u32, u32> {
            flaky.call()
        }
        let mut flaky = Flaky::failing($failures);
        let (result, allocated) = allocations(|| sync(&mut flaky));
        let calls = flaky.calls;
        let mut flaky = Flaky::failing($failures);
        let (again, as_async) = allocations(|| finish(not_sync(&mut flaky)));
        assert_eq!((result, calls, allocated), (again, flaky.calls, as_async));
        (calls, allocated)
    }};
}

#[test]
fn the_counter_counts() {
    let (_, one) = allocations(|| Box::new(1));
    assert_eq!(one, 1);
    let (_, grown) = allocations(|| {
        let mut list = Vec::with_capacity(1);
        list.extend([1, 2, 3]);
        list
    });
    assert_eq!(grown, 2);
}

mod a_success_at_the_first_try {
    use super::*;

    #[test]
    fn allocates_nothing_whatever_the_policy() {
        assert_eq!(allocated!(0, stop = attempts(3), wait = none(), on = any_error()), (1, 0));
        assert_eq!(allocated!(0, forever, wait = fixed(1h), on = any_error()), (1, 0));
        assert_eq!(
            allocated!(
                0,
                stop = attempts(3) | within(1h),
                wait = exponential(1s).cap(1m).full_jitter(),
                on = |n| *n < 7
            ),
            (1, 0)
        );
        assert_eq!(
            allocated!(
                0,
                stop = (|state: &State| state.attempt() > 3) | attempts(9),
                wait = decorrelated(1s, 1m) + (|_| Duration::ZERO),
                on = (any_error().at_most(2) | |n| *n > 5) & error(|_| true),
                idempotent,
                max_hint = clamp(5s),
                name = "a name"
            ),
            (1, 0)
        );
    }

    #[test]
    fn allocates_nothing_even_where_the_policy_itself_would() {
        // The keys are not evaluated before a failure.
        assert_eq!(
            allocated!(
                0,
                stop = Box::new(retry::stop::attempts(3))
                    as Box<dyn Stop<Ends = retry::stop::Bounded>>,
                wait = sequence(vec![1s, 2s]),
                on = |n| n.to_string().is_empty()
            ),
            (1, 0)
        );
    }

    #[test]
    fn allocates_nothing_with_the_default_sleep() {
        #[retry(stop = within(1h), wait = fixed(1s), on = any_error())]
        fn sync(flaky: &mut Flaky) -> Result<u32, u32> {
            flaky.call()
        }
        #[retry(stop = within(1h), wait = fixed(1s), on = any_error())]
        async fn not_sync(flaky: &mut Flaky) -> Result<u32, u32> {
            flaky.call()
        }
        #[retry(stop = within(1h), wait = fixed(1s), on = any_error())]
        #[allow(clippy::manual_async_fn)] // another shape of function
        fn by_hand(flaky: &mut Flaky) -> impl Future<Output = Result<u32, u32>> {
            async { flaky.call() }
        }
        assert_eq!(allocations(|| sync(&mut Flaky::failing(0))), (Ok(1), 0));
        assert_eq!(allocations(|| finish(not_sync(&mut Flaky::failing(0)))), (Ok(1), 0));
        assert_eq!(allocations(|| finish(by_hand(&mut Flaky::failing(0)))), (Ok(1), 0));
    }

    #[test]
    fn allocates_nothing_in_a_runtime() {
        #[retry(stop = within(1h), wait = fixed(1s), on = any_error())]
        async fn call(flaky: &mut Flaky) -> Result<u32, u32> {
            flaky.call()
        }
        let allocated = on_one_thread(async {
            let before = ALLOCATIONS.get();
            assert_eq!(call(&mut Flaky::failing(0)).await, Ok(1));
            ALLOCATIONS.get() - before
        });
        assert_eq!(allocated, 0);
    }

    #[test]
    fn allocates_nothing_in_a_block() {
        let mut flaky = Flaky::failing(0);
        let (result, allocated) = allocations(|| {
            retry::block!(
                stop = attempts(3) | within(1h),
                wait = exponential(1s).full_jitter(),
                on = any_error(),
                || flaky.call()
            )
        });
        assert_eq!((result, allocated), (Ok(1), 0));

        let mut flaky = Flaky::failing(0);
        let (result, allocated) = allocations(|| {
            finish(async {
                retry::block!(
                    stop = attempts(3) | within(1h),
                    wait = exponential(1s).full_jitter(),
                    on = |n| *n < 5,
                    async { flaky.call() }
                )
            })
        });
        assert_eq!((result, allocated), (Ok(1), 0));

        let mut flaky = Flaky::failing(0);
        let (value, allocated) = allocations(|| -> u32 {
            retry::block!(forever, wait = fixed(1s), on = any_error(), || flaky.call())
        });
        assert_eq!((value, allocated), (1, 0));
    }

    #[test]
    fn allocates_nothing_where_a_value_is_judged() {
        #[retry(stop = attempts(3), wait = fixed(1s), on = ok(|n| *n > 1) | output(Result::is_err))]
        fn call(flaky: &mut Flaky) -> Result<u32, u32> {
            flaky.call()
        }
        assert_eq!(allocations(|| call(&mut Flaky::failing(0))), (Ok(1), 0));
    }

    #[test]
    fn allocates_only_what_its_body_does() {
        #[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), clone(text))]
        fn call(text: String) -> Result<String, ()> {
            Ok(text)
        }
        // The clone that was asked for.
        let text = "twelve bytes".to_owned();
        let (_, allocated) = allocations(|| call(text));
        assert_eq!(allocated, 1);
    }
}

mod a_permanent_failure_at_the_first_try {
    use super::*;

    #[test]
    fn allocates_nothing() {
        // No subscriber is there to tell, and there would be nothing to tell it.
        assert_eq!(allocated!(9, stop = attempts(3), wait = none(), on = |_| false), (1, 0));
        assert_eq!(
            allocated!(
                9,
                stop = within(1h),
                wait = exponential(1s).full_jitter(),
                on = |_| Verdict::Final
            ),
            (1, 0)
        );
        assert_eq!(
            allocated!(
                9,
                stop = attempts(3),
                wait = decorrelated(1s, 1m),
                on = (|n| *n > 1).at_most(3) | !any_error()
            ),
            (1, 0)
        );
    }

    #[test]
    fn does_not_put_the_error_into_words() {
        struct Untold;
        impl std::fmt::Display for Untold {
            fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                unreachable!("nobody listens")
            }
        }
        #[retry(stop = attempts(3), wait = none(), on = |_| retries)]
        fn call(retries: bool) -> Result<(), Untold> {
            Err(Untold)
        }
        assert!(call(false).is_err());
        // Nor does a call that retries, since no subscriber is installed.
        assert!(call(true).is_err());
    }
}

mod a_call_that_fails {
    use super::*;

    #[test]
    fn allocates_once_however_often_it_fails() {
        for failures in [1, 2, 10, 1000] {
            let calls = failures + 1;
            assert_eq!(
                allocated!(failures, stop = attempts(2000), wait = none(), on = any_error()),
                (calls, 1)
            );
            assert_eq!(
                allocated!(failures, stop = within(365d), wait = fixed(1s), on = any_error()),
                (calls, 1)
            );
        }
    }

    #[test]
    fn allocates_once_more_where_chance_plays_a_part_whatever_the_strategy() {
        assert_eq!(
            allocated!(
                100,
                stop = attempts(2000),
                wait = exponential(1s).cap(1m).full_jitter(),
                on = any_error()
            ),
            (101, 2)
        );
        assert_eq!(
            allocated!(
                100,
                stop = attempts(2000),
                wait = decorrelated(1s, 1m).max(decorrelated(2s, 1m)) + random(1s..2s),
                on = any_error()
            ),
            (101, 2)
        );
        assert_eq!(
            allocated!(
                100,
                stop = attempts(2000) & within(1s) | when(|state| state.attempt() == 90),
                wait = sequence([1s, 2s])
                    .times(5)
                    .then(fibonacci(1s).equal_jitter().jitter(1s).jitter_factor(0.5))
                    .throttled(by(|_| Duration::from_secs(1)))
                    .min(linear(1s, 1s)),
                on = any_error()
            ),
            (90, 2)
        );
    }

    #[test]
    fn allocates_once_with_limits_of_conditions_and_hints() {
        assert_eq!(
            allocated!(
                100,
                stop = attempts(2000),
                wait = none(),
                on = (|n| *n < 40).at_most(50)
                    | any_error().at_most(70)
                    | (|_| Verdict::Ambiguous.retry_after(1s).throttled()).at_most(5),
                idempotent
            ),
            (71, 1)
        );
    }

    #[test]
    fn allocates_once_where_it_gives_up_at_the_first_failure() {
        assert_eq!(
            allocated!(
                9,
                stop = attempts(u32::from(true)) | attempts(5),
                wait = none(),
                on = any_error()
            ),
            (1, 1)
        );
        assert_eq!(
            allocated!(9, stop = attempts(5), wait = none(), on = |_| Verdict::Ambiguous),
            (1, 1)
        );
        assert_eq!(
            allocated!(
                9,
                stop = attempts(5),
                wait = none(),
                on = |_| Verdict::Retry.retry_after(2m)
            ),
            (1, 1)
        );
    }

    #[test]
    fn allocates_once_with_the_default_sleep_of_a_thread() {
        #[retry(stop = attempts(9), wait = fixed(1us), on = any_error())]
        fn call(flaky: &mut Flaky) -> Result<u32, u32> {
            flaky.call()
        }
        assert_eq!(allocations(|| call(&mut Flaky::failing(3))), (Ok(4), 1));
        assert_eq!(allocations(|| call(&mut Flaky::failing(99))), (Err(9), 1));
    }

    #[test]
    fn allocates_once_with_the_default_sleep_of_a_task() {
        #[retry(stop = attempts(50), wait = fixed(1s), on = any_error())]
        async fn call(flaky: &mut Flaky) -> Result<u32, u32> {
            flaky.call()
        }
        paused(async {
            // Whatever the runtime itself makes lazily is made here.
            tokio::time::sleep(Duration::from_secs(1)).await;
            let before = ALLOCATIONS.get();
            assert_eq!(call(&mut Flaky::failing(20)).await, Ok(21));
            assert_eq!(ALLOCATIONS.get() - before, 1);
        });
    }

    #[test]
    fn allocates_once_in_a_block() {
        let mut flaky = Flaky::failing(20);
        let (value, allocated) = allocations(|| -> u32 {
            retry::block!(forever, wait = none(), on = any_error(), || flaky.call())
        });
        assert_eq!((value, allocated), (21, 1));

        let mut flaky = Flaky::failing(20);
        let (result, allocated) = allocations(|| {
            finish(async {
                retry::block!(stop = within(1h), wait = none(), on = any_error(), async {
                    flaky.call()
                })
            })
        });
        assert_eq!((result, allocated), (Ok(21), 1));
    }

    #[test]
    fn frees_what_it_has_allocated_when_it_ends_or_is_dropped() {
        #[retry(stop = attempts(9), wait = none(), on = any_error())]
        async fn call(flaky: &mut Flaky) -> Result<u32, u32> {
            flaky.call()
        }
        let freed = |f: &dyn Fn()| {
            let before = FREED.get();
            f();
            FREED.get() - before
        };
        let ended = || assert_eq!(finish(call(&mut Flaky::failing(3))), Ok(4));
        assert_eq!(freed(&ended), 1);
        let dropped = || {
            let mut flaky = Flaky::failing(9);
            let mut call = pin!(call(&mut flaky));
            assert!(poll(call.as_mut()).is_pending());
            assert!(poll(call.as_mut()).is_pending());
        };
        assert_eq!(freed(&dropped), 1);
        let never_polled = || drop(call(&mut Flaky::failing(9)));
        assert_eq!(freed(&never_polled), 0);
    }
}
