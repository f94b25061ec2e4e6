use super::*;

#[tokio::test(start_paused = true)]
async fn an_async_closure_is_called_again_after_each_wait() {
    let policy = policy! { stop = attempts(3), wait = exponential(1s), on = any_error() };
    let start = tokio::time::Instant::now();
    let calls = Cell::new(0);
    let outcome: Result<(), &str> = policy
        .call_async(async || {
            calls.set(calls.get() + 1);
            tokio::task::yield_now().await;
            Err("no")
        })
        .await;
    assert_eq!((outcome, calls.get()), (Err("no"), 3));
    assert_eq!(start.elapsed(), ms(3000));
}

static SHARED: LazyLock<BoxedPolicy<ApiError>> =
    LazyLock::new(|| policy! { stop = attempts(3), wait = fixed(1s) }.boxed());

#[derive(Default)]
struct Client {
    calls: AtomicU32,
}

impl Client {
    async fn get(&self, id: &str) -> Result<usize, ApiError> {
        tokio::task::yield_now().await;
        match self.calls.fetch_add(1, Ordering::SeqCst) {
            0 => Err(ApiError::Busy),
            _ => Ok(id.len()),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_borrows_its_surroundings_is_spawned() {
    let client = Arc::new(Client::default());
    let id = "seven".to_owned();
    let spawned = tokio::spawn({
        let client = client.clone();
        async move { SHARED.call_async(async || client.get(&id).await).await }
    });
    assert_eq!(spawned.await.unwrap(), Ok(5));
    assert_eq!(client.calls.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_by_an_owned_policy_with_moved_clones_is_spawned() {
    let policy = Arc::new(policy! { stop = attempts(3), wait = fixed(1s), on = any_error() });
    let client = Arc::new(Client::default());
    let spawned = tokio::spawn(async move {
        policy
            .call_async(|| {
                let client = client.clone();
                async move { client.get("id").await }
            })
            .await
    });
    assert_eq!(spawned.await.unwrap(), Ok(2));
}

/// `Send` although its outcome is not: it is gone before the wait.
#[tokio::test(start_paused = true)]
async fn a_call_whose_error_cannot_be_sent_is_still_sendable() {
    #[derive(Debug)]
    struct Local(#[allow(dead_code)] Rc<()>);

    let policy = policy! { stop = attempts(2), wait = fixed(1s), on = any_error() };
    let call = policy.call_async(|| ready(()).then_fail(|| Local(Rc::new(()))));
    let outcome = sendable(call).await;
    assert!(outcome.is_err());
}

/// A future that makes its error only when it is polled.
struct Failing<F>(F);

trait ThenFail {
    fn then_fail<E, F: Fn() -> E>(self, error: F) -> Failing<F>;
}

impl<T> ThenFail for T {
    fn then_fail<E, F: Fn() -> E>(self, error: F) -> Failing<F> {
        Failing(error)
    }
}

impl<E, F: Fn() -> E + Unpin> Future for Failing<F> {
    type Output = Result<(), E>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(Err((self.0)()))
    }
}

#[test]
fn without_a_runtime_a_sleep_is_given() {
    let policy = policy! { stop = attempts(3), wait = fixed(1s), on = any_error() };
    let slept = Cell::new(Duration::ZERO);
    let sleep = |pause| {
        slept.set(slept.get() + pause);
        ready(())
    };
    let mut call = pin!(policy.call_async_with(sleep, || ready(Err::<(), _>("no"))));
    let outcome = (0..10).find_map(|_| match poll(call.as_mut()) {
        Poll::Ready(outcome) => Some(outcome),
        Poll::Pending => None,
    });
    assert_eq!(outcome, Some(Err("no")));
    assert_eq!(slept.get(), ms(2000));
}

#[tokio::test(start_paused = true)]
async fn an_async_closure_may_change_what_it_captures() {
    let policy = policy! { stop = attempts(5), wait = fixed(1s), on = any_error() };
    let (mut calls, mut seen, start) = (0, Vec::new(), tokio::time::Instant::now());
    let outcome = policy
        .call_async_mut(async || {
            calls += 1;
            seen.push(calls);
            tokio::task::yield_now().await;
            seen.push(10 * calls);
            if calls < 3 { Err("busy") } else { Ok(calls) }
        })
        .await;
    assert_eq!((outcome, start.elapsed()), (Ok(3), ms(2000)));
    assert_eq!(seen, [1, 10, 2, 20, 3, 30]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_changes_what_it_captures_is_spawned_on_its_thread_or_as_a_block() {
    let policy = policy! { stop = attempts(5), wait = fixed(1s), on = any_error() }.boxed::<u32>();
    let local = tokio::task::LocalSet::new();
    let here = policy.clone();
    let on_its_thread = local.run_until(async {
        let task = tokio::task::spawn_local(async move {
            let mut calls = 0;
            here.call_async_mut(async || {
                calls += 1;
                if calls < 3 { Err(calls) } else { Ok(calls) }
            })
            .await
        });
        task.await.unwrap()
    });
    assert_eq!(on_its_thread.await, Ok(3));
    let anywhere = tokio::spawn(async move {
        let mut calls = 0;
        retry::block!(policy = policy, async || -> Result<u32, u32> {
            calls += 1;
            if calls < 3 { Err(calls) } else { Ok(calls) }
        })
    });
    assert_eq!(anywhere.await.unwrap(), Ok(3));
}

#[test]
fn without_a_runtime_a_closure_that_changes_what_it_captures_is_given_a_sleep() {
    let slept = RefCell::new(Vec::new());
    let policy = policy! { stop = attempts(3), wait = fixed(5ms), on = any_error() };
    let mut calls = 0;
    let sleep = |delay| {
        slept.borrow_mut().push(delay);
        ready(())
    };
    let call = policy.call_async_mut_with(sleep, async || {
        calls += 1;
        Err::<(), _>(calls)
    });
    assert_eq!(finish(call), Err(3));
    assert_eq!(slept.into_inner(), [ms(5), ms(5)]);
}
