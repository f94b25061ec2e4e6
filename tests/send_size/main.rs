//! The future of an annotated function is `Send` exactly where the plain function's is, and not
//! much larger than the same loop written by hand.

// The shapes are the subject: arguments are taken by value to be held by the future.
#![allow(
    clippy::await_holding_lock,
    clippy::boxed_local,
    clippy::cast_possible_truncation,
    clippy::future_not_send,
    clippy::large_futures,
    clippy::large_stack_arrays,
    clippy::manual_async_fn,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::rc_buffer,
    clippy::redundant_pattern_matching,
    clippy::type_complexity,
    clippy::unnecessary_literal_bound,
    clippy::unused_async,
    clippy::unused_self,
    clippy::unwrap_used
)]

/// Whether a value is `Send`, found out by method lookup, so that both answers compile.
macro_rules! is_send {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use probe::{Maybe as _, No as _};
        (&probe::Probe(core::marker::PhantomData)).of(&$value).is_send()
    }};
}

mod probe {
    use core::marker::PhantomData;

    pub(crate) struct Probe<T>(pub(crate) PhantomData<T>);

    pub(crate) trait Maybe<T> {
        fn of(&self, value: &T) -> Probe<T>;
    }

    impl<T> Maybe<T> for Probe<T> {
        fn of(&self, _: &T) -> Probe<T> {
            Probe(PhantomData)
        }
    }

    impl<T: Send> Probe<T> {
        // An inherent method is found before a trait's.
        pub(crate) fn is_send(&self) -> bool {
            let _ = self;
            true
        }
    }

    pub(crate) trait No {
        fn is_send(&self) -> bool;
    }

    impl<T> No for Probe<T> {
        fn is_send(&self) -> bool {
            false
        }
    }
}

mod send {
    use std::cell::{Cell, RefCell};
    use std::future::Future;
    use std::marker::PhantomData;
    use std::pin::Pin;
    use std::rc::Rc;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::sync::{Arc, MutexGuard, mpsc};

    use async_trait::async_trait;
    use futures::future::BoxFuture;
    use retry::retry;
    use tokio::task::yield_now;

    use super::probe;

    #[derive(Debug, PartialEq, Eq)]
    struct Busy;

    /// Fails until the third time it is asked.
    #[derive(Default)]
    struct Flaky(AtomicU32);

    impl Flaky {
        fn ask(&self) -> Result<u32, Busy> {
            let n = self.0.fetch_add(1, Relaxed) + 1;
            if n < 3 { Err(Busy) } else { Ok(n) }
        }
    }

    /// The same with a cell: `Send`, but not `Sync`.
    #[derive(Default)]
    struct FlakyCell(Cell<u32>);

    impl FlakyCell {
        fn ask(&self) -> Result<u32, Busy> {
            let n = self.0.get() + 1;
            self.0.set(n);
            if n < 3 { Err(Busy) } else { Ok(n) }
        }
    }

    fn assert_send<T: Send>(_: &T) {}

    /// Runs a future on another thread, which needs it to be `Send + 'static`.
    async fn spawned<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
        assert_send(&future);
        tokio::spawn(future).await.unwrap()
    }

    /// Every function twice: annotated, and plain in a module of its own.
    macro_rules! both {
        ($plain:ident: $(async fn $name:ident $([$($generics:tt)*])? ($($args:tt)*) -> $output:ty $body:block)*) => {
            $(
                #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
                async fn $name $(<$($generics)*>)? ($($args)*) -> $output $body
            )*
            mod $plain {
                #[allow(unused_imports)]
                use super::*;
                $(
                    pub(super) async fn $name $(<$($generics)*>)? ($($args)*) -> $output $body
                )*
            }
        };
    }

    both! { plain:
        async fn reference(flaky: &Flaky) -> Result<u32, Busy> {
            yield_now().await;
            flaky.ask()
        }

        async fn owned(flaky: Flaky, text: String) -> Result<u32, Busy> {
            yield_now().await;
            flaky.ask().map(|n| n + text.len() as u32)
        }

        async fn cell(flaky: FlakyCell) -> Result<u32, Busy> {
            yield_now().await;
            flaky.ask()
        }

        async fn mut_cell(mut flaky: FlakyCell) -> Result<u32, Busy> {
            yield_now().await;
            *flaky.0.get_mut() += 1;
            flaky.ask()
        }

        async fn ref_cell(flaky: Flaky, log: RefCell<Vec<u32>>) -> Result<usize, Busy> {
            log.borrow_mut().push(1);
            yield_now().await;
            flaky.ask()?;
            Ok(log.borrow().len())
        }

        async fn receiver(flaky: Flaky, receiver: mpsc::Receiver<u32>) -> Result<u32, Busy> {
            yield_now().await;
            flaky.ask().map(|n| n + receiver.try_recv().unwrap_or(0))
        }

        async fn boxed_fn(f: Box<dyn Fn() -> Result<u32, Busy> + Send>) -> Result<u32, Busy> {
            yield_now().await;
            f()
        }

        async fn boxed_fn_mut(mut f: Box<dyn FnMut() -> Result<u32, Busy> + Send>) -> Result<u32, Busy> {
            yield_now().await;
            f()
        }

        async fn generic[T: Send + AsRef<str>](flaky: Flaky, text: T) -> Result<u32, Busy> {
            yield_now().await;
            flaky.ask().map(|n| n + text.as_ref().len() as u32)
        }

        async fn impl_trait(mut f: impl FnMut() -> Result<u32, Busy> + Send) -> Result<u32, Busy> {
            yield_now().await;
            f()
        }

        async fn tuple((flaky, text): (FlakyCell, Cell<u32>)) -> Result<u32, Busy> {
            yield_now().await;
            text.set(1);
            flaky.ask()
        }

        async fn nested_tuple(((flaky, _), (mut text, n)): ((FlakyCell, u8), (Cell<u32>, u8))) -> Result<u32, Busy> {
            yield_now().await;
            *text.get_mut() += u32::from(n);
            flaky.ask()
        }

        async fn fields(Pair { flaky, cell: renamed, .. }: Pair) -> Result<u32, Busy> {
            yield_now().await;
            renamed.set(1);
            flaky.ask()
        }

        async fn tuple_struct(Wrapper(flaky): Wrapper) -> Result<u32, Busy> {
            yield_now().await;
            flaky.ask()
        }

        async fn arc(flaky: Arc<Flaky>) -> Result<u32, Busy> {
            yield_now().await;
            flaky.ask()
        }

        async fn only_in_format(flaky: Flaky, tag: Shown) -> Result<String, String> {
            yield_now().await;
            flaky.ask().map_err(|_| format!("{tag}"))?;
            Ok(format!("{tag:?} {tag}"))
        }

        async fn unused(flaky: &Flaky, _cell: Cell<u32>, _: Cell<u32>) -> Result<u32, Busy> {
            yield_now().await;
            flaky.ask()
        }

        // Neither the error nor the value can be sent, but both are gone when it waits.
        async fn local_error(flaky: Arc<Flaky>) -> Result<u32, NotSend> {
            yield_now().await;
            flaky.ask().map_err(|_| NotSend::default())
        }

        async fn local_value(flaky: Arc<Flaky>) -> Result<NotSend, Busy> {
            yield_now().await;
            flaky.ask().map(|_| NotSend::default())
        }

        async fn boxed_error(flaky: Arc<Flaky>) -> Result<u32, Box<dyn std::error::Error>> {
            yield_now().await;
            Ok(flaky.ask().map_err(|_| "busy")?)
        }
    }

    #[derive(Debug, Default)]
    struct NotSend(PhantomData<Rc<()>>);

    struct Pair {
        flaky: FlakyCell,
        cell: Cell<u32>,
        #[allow(dead_code)] // what `..` stands for
        more: u8,
    }

    struct Wrapper(FlakyCell);

    /// `Send`, not `Sync`, and displayed.
    #[derive(Debug)]
    struct Shown(Cell<u32>);

    impl std::fmt::Display for Shown {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{}", self.0.get())
        }
    }

    fn counting() -> Box<dyn Fn() -> Result<u32, Busy> + Send> {
        let flaky = FlakyCell::default();
        Box::new(move || flaky.ask())
    }

    // Each call stands once in the annotated form and once in the plain one, so that the test
    // does not ask for more than the plain function gives.
    macro_rules! spawn_both {
        ($($name:ident($($args:expr),*) => $result:pat,)*) => {$(
            assert_send(&plain::$name($($args),*));
            assert!(is_send!($name($($args),*)), stringify!($name));
            let result = spawned(async move { $name($($args),*).await.map_err(drop) }).await;
            assert!(matches!(result, $result), stringify!($name));
        )*};
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_function_can_be_spawned_with_arguments_of_every_kind() {
        spawn_both! {
            reference(&Flaky::default()) => Ok(3),
            owned(Flaky::default(), "four".to_owned()) => Ok(7),
            cell(FlakyCell::default()) => Ok(3),
            mut_cell(FlakyCell::default()) => Ok(4),
            ref_cell(Flaky::default(), RefCell::default()) => Ok(3),
            receiver(Flaky::default(), mpsc::channel().1) => Ok(3),
            boxed_fn(counting()) => Ok(3),
            boxed_fn_mut(counting()) => Ok(3),
            generic(Flaky::default(), "four") => Ok(7),
            impl_trait(counting()) => Ok(3),
            tuple((FlakyCell::default(), Cell::new(0))) => Ok(3),
            nested_tuple(((FlakyCell::default(), 0), (Cell::new(0), 1))) => Ok(3),
            fields(Pair { flaky: FlakyCell::default(), cell: Cell::new(0), more: 0 }) => Ok(3),
            tuple_struct(Wrapper(FlakyCell::default())) => Ok(3),
            arc(Arc::default()) => Ok(3),
            only_in_format(Flaky::default(), Shown(Cell::new(1))) => Ok(_),
            local_error(Arc::default()) => Ok(3),
            boxed_error(Arc::default()) => Ok(3),
        }
        let flaky = Flaky::default();
        assert_send(&plain::unused(&flaky, Cell::new(0), Cell::new(0)));
        assert_send(&unused(&flaky, Cell::new(0), Cell::new(0)));
        // Its value cannot leave the task, so nothing of it is spawned.
        assert_send(&plain::local_value(Arc::default()));
        assert_send(&local_value(Arc::default()));
        assert!(local_value(Arc::default()).await.is_ok());
    }

    /// A bound that a generic function cannot have: `T: Send` is enough.
    #[test]
    fn a_generic_argument_need_be_send_only() {
        fn check<T: Send + AsRef<str>>(text: T) {
            assert_send(&generic(Flaky::default(), text));
        }
        struct Text(Cell<u8>);
        impl AsRef<str> for Text {
            fn as_ref(&self) -> &str {
                self.0.set(1);
                "text"
            }
        }
        check(Text(Cell::new(0)));
    }

    #[derive(Default)]
    struct Client(FlakyCell);

    impl Client {
        #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
        async fn by_value(self) -> Result<u32, Busy> {
            yield_now().await;
            self.0.ask()
        }

        #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
        async fn by_mut_value(mut self) -> Result<u32, Busy> {
            yield_now().await;
            *self.0.0.get_mut() += 1;
            self.0.ask()
        }

        #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
        async fn in_box(self: Box<Self>) -> Result<u32, Busy> {
            yield_now().await;
            self.0.ask()
        }
    }

    #[derive(Default)]
    struct Shared(Flaky);

    impl Shared {
        #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
        async fn by_ref(&self) -> Result<u32, Busy> {
            yield_now().await;
            self.0.ask()
        }

        #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
        async fn in_arc(self: Arc<Self>) -> Result<u32, Busy> {
            yield_now().await;
            self.0.ask()
        }

        #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
        async fn in_arc_ref(self: &Arc<Self>) -> Result<u32, Busy> {
            yield_now().await;
            self.0.ask()
        }

        #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
        async fn by_mut(&mut self, cell: Cell<u32>) -> Result<u32, Busy> {
            yield_now().await;
            cell.set(1);
            self.0.ask()
        }

        #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
        async fn pinned(self: Pin<&mut Self>) -> Result<u32, Busy> {
            yield_now().await;
            self.0.ask()
        }

        #[retry(stop = attempts(self.limit()), wait = fixed(1ms), on = |error| self.is_busy(error))]
        async fn keys_by_mut(&mut self) -> Result<u32, Busy> {
            yield_now().await;
            self.0.ask()
        }

        const fn limit(&self) -> u32 {
            5
        }

        const fn is_busy(&self, _: &Busy) -> bool {
            true
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_method_can_be_spawned_whatever_it_takes_self_as() {
        assert_eq!(spawned(Client::default().by_value()).await, Ok(3));
        assert_eq!(spawned(Client::default().by_mut_value()).await, Ok(4));
        assert_eq!(spawned(Box::<Client>::default().in_box()).await, Ok(3));
        assert_eq!(spawned(Arc::<Shared>::default().in_arc()).await, Ok(3));
        assert_eq!(spawned(async { Shared::default().by_mut(Cell::new(0)).await }).await, Ok(3));
        let pinned = async { Pin::new(&mut Shared::default()).pinned().await };
        assert_eq!(spawned(pinned).await, Ok(3));
        assert_eq!(spawned(async { Shared::default().keys_by_mut().await }).await, Ok(3));
        assert_eq!(spawned(async { Shared::default().by_ref().await }).await, Ok(3));
        assert_eq!(spawned(async { Arc::<Shared>::default().in_arc_ref().await }).await, Ok(3));
    }

    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    fn opaque(flaky: FlakyCell) -> impl Future<Output = Result<u32, Busy>> + Send {
        async move {
            yield_now().await;
            flaky.ask()
        }
    }

    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    fn boxed(flaky: FlakyCell) -> BoxFuture<'static, Result<u32, Busy>> {
        Box::pin(async move {
            yield_now().await;
            flaky.ask()
        })
    }

    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    fn after_statements(cell: Cell<u32>) -> BoxFuture<'static, Result<u32, Busy>> {
        let flaky = FlakyCell(cell);
        let left = Cell::new(0);
        Box::pin(async move {
            yield_now().await;
            left.set(1);
            flaky.ask()
        })
    }

    #[async_trait]
    trait Fetch {
        async fn by_mut(&mut self, cell: Cell<u32>) -> Result<u32, Busy>;
        async fn generic<T: Send>(&mut self, value: T, tag: Cell<u32>) -> Result<u32, Busy>;
    }

    #[async_trait]
    impl Fetch for Shared {
        #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
        async fn by_mut(&mut self, cell: Cell<u32>) -> Result<u32, Busy> {
            yield_now().await;
            cell.set(1);
            self.0.ask()
        }

        #[retry(stop = attempts(self.limit()), wait = fixed(1ms), on = |error| self.is_busy(error))]
        async fn generic<T: Send>(&mut self, value: T, tag: Cell<u32>) -> Result<u32, Busy> {
            let _ = &value;
            yield_now().await;
            tag.set(1);
            self.0.ask()
        }
    }

    trait FetchSend {
        fn fetch(&mut self, cell: Cell<u32>) -> impl Future<Output = Result<u32, Busy>> + Send;
    }

    impl FetchSend for Shared {
        #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
        async fn fetch(&mut self, cell: Cell<u32>) -> Result<u32, Busy> {
            yield_now().await;
            cell.set(1);
            self.0.ask()
        }
    }

    #[retry(stop = attempts(2), wait = fixed(1ms), on = any_error())]
    async fn recursive(depth: u32, flaky: Arc<Flaky>) -> Result<u32, Busy> {
        if depth == 0 {
            flaky.ask()
        } else {
            Box::pin(recursive(depth - 1, Arc::clone(&flaky))).await
        }
    }

    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error(), clone(flaky, text))]
    async fn cloned(flaky: Arc<Flaky>, mut text: String) -> Result<u32, Busy> {
        let moved = flaky;
        text.push('!');
        yield_now().await;
        moved.ask().map(|n| n + text.len() as u32)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_future_that_promises_send_keeps_the_promise() {
        assert_eq!(spawned(opaque(FlakyCell::default())).await, Ok(3));
        assert_eq!(spawned(boxed(FlakyCell::default())).await, Ok(3));
        assert_eq!(spawned(after_statements(Cell::new(0))).await, Ok(3));
        let by_mut = async { Fetch::by_mut(&mut Shared::default(), Cell::new(0)).await };
        assert_eq!(spawned(by_mut).await, Ok(3));
        let generic = async { Shared::default().generic(Cell::new(0), Cell::new(0)).await };
        assert_eq!(spawned(generic).await, Ok(3));
        assert_eq!(spawned(async { Shared::default().fetch(Cell::new(0)).await }).await, Ok(3));
        assert_eq!(spawned(recursive(1, Arc::default())).await, Ok(3));
        assert_eq!(spawned(cloned(Arc::default(), "abc".to_owned())).await, Ok(7));
    }

    #[retry(stop = attempts(5) | within(1h), wait = exponential(1ms).full_jitter() + (|_| 1ms), on = any_error())]
    async fn strategies(flaky: Flaky) -> Result<u32, Busy> {
        yield_now().await;
        flaky.ask()
    }

    #[retry(
        stop = attempts(5) | (|_| local.0.get() > 9),
        wait = fixed(1ms),
        on = |_| { let rc = Rc::new(1); *rc == 1 },
        sleep = |pause| tokio::time::sleep(pause),
    )]
    async fn local_keys(flaky: Flaky, local: FlakyCell) -> Result<u32, Busy> {
        yield_now().await;
        flaky.ask()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn nothing_of_the_keys_is_held_while_the_body_runs_or_the_call_waits() {
        assert_eq!(spawned(strategies(Flaky::default())).await, Ok(3));
        let keys = local_keys(Flaky::default(), FlakyCell::default());
        assert_eq!(spawned(keys).await, Ok(3));
    }

    both! { plain_local:
        async fn rc_argument(flaky: Rc<FlakyCell>) -> Result<u32, Busy> {
            yield_now().await;
            flaky.ask()
        }

        async fn rc_held(flaky: Flaky) -> Result<u32, Busy> {
            let rc = Rc::new(());
            yield_now().await;
            drop(rc);
            flaky.ask()
        }

        async fn rc_given_up(flaky: Flaky) -> Result<u32, Busy> {
            drop(Rc::new(()));
            yield_now().await;
            flaky.ask()
        }

        async fn cell_borrowed(flaky: &FlakyCell) -> Result<u32, Busy> {
            yield_now().await;
            flaky.ask()
        }

        async fn guard_held(lock: Arc<std::sync::Mutex<FlakyCell>>) -> Result<u32, Busy> {
            let guard: MutexGuard<'_, FlakyCell> = lock.lock().unwrap();
            yield_now().await;
            guard.ask()
        }

        async fn generic_unbounded[T: AsRef<str>](flaky: Flaky, text: T) -> Result<u32, Busy> {
            yield_now().await;
            flaky.ask().map(|n| n + text.as_ref().len() as u32)
        }
    }

    struct RcText(#[allow(dead_code)] Rc<()>);

    impl AsRef<str> for RcText {
        fn as_ref(&self) -> &str {
            "text"
        }
    }

    macro_rules! as_plain {
        ($plain:ident, $expected:literal: $($name:ident($($args:expr),*);)*) => {$(
            assert_eq!(is_send!($plain::$name($($args),*)), $expected, stringify!($name));
            assert_eq!(is_send!($name($($args),*)), $expected, stringify!($name));
        )*};
    }

    #[tokio::test]
    async fn a_future_cannot_be_sent_exactly_where_that_of_the_plain_function_cannot() {
        as_plain! { plain_local, false:
            rc_argument(Rc::default());
            rc_held(Flaky::default());
            cell_borrowed(&FlakyCell::default());
            guard_held(Arc::default());
            generic_unbounded(Flaky::default(), RcText(Rc::default()));
        }
        as_plain! { plain_local, true:
            rc_given_up(Flaky::default());
            generic_unbounded(Flaky::default(), "text");
        }
        assert_eq!(rc_argument(Rc::default()).await, Ok(3));
        assert_eq!(rc_held(Flaky::default()).await, Ok(3));
        assert_eq!(cell_borrowed(&FlakyCell::default()).await, Ok(3));
        assert_eq!(guard_held(Arc::default()).await, Ok(3));
    }
}

/// Sizes. Each body is written once and put under the attribute and into a loop by hand, which
/// waits in the same way.
mod size {
    use std::time::Duration;

    use retry::retry;
    use tokio::task::yield_now;
    use tokio::time::{Instant, sleep};

    type Outcome<T = ()> = Result<T, String>;

    /// What an annotated future may have that the loop by hand does not.
    const ALLOWED: usize = 64;

    macro_rules! sized {
        ($($name:ident($($arg:ident: $ty:ty = $value:expr),*) -> $output:ty $body:block)*) => {
            $(
                mod $name {
                    #[allow(clippy::wildcard_imports)]
                    use super::*;

                    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
                    pub(super) async fn annotated($($arg: $ty),*) -> $output $body

                    #[retry(stop = attempts(5) | within(30s), wait = fixed(1ms), on = any_error())]
                    pub(super) async fn timed($($arg: $ty),*) -> $output $body

                    pub(super) async fn by_hand($($arg: $ty),*) -> $output {
                        let mut attempt = 1;
                        loop {
                            let pause = {
                                let outcome: $output = async { $body }.await;
                                if outcome.is_ok() || attempt == 5 {
                                    return outcome;
                                }
                                Duration::from_millis(1)
                            };
                            attempt += 1;
                            sleep(pause).await;
                        }
                    }

                    pub(super) async fn by_hand_timed($($arg: $ty),*) -> $output {
                        let start = Instant::now();
                        let mut attempt = 1;
                        loop {
                            let pause = {
                                let outcome: $output = async { $body }.await;
                                let up = start.elapsed() >= Duration::from_secs(30);
                                if outcome.is_ok() || attempt == 5 || up {
                                    return outcome;
                                }
                                Duration::from_millis(1)
                            };
                            attempt += 1;
                            sleep(pause).await;
                        }
                    }

                    #[tokio::test]
                    async fn a_retried_future_is_about_as_large_as_a_loop_by_hand() {
                        let by_hand_timed = size_of_val(&by_hand_timed($($value),*));
                        let by_hand = size_of_val(&by_hand($($value),*));
                        let annotated = size_of_val(&annotated($($value),*));
                        let timed = size_of_val(&timed($($value),*));
                        println!("{annotated} / {by_hand}, timed {timed} / {by_hand_timed}");
                        assert!(annotated <= by_hand + ALLOWED, "{annotated} > {by_hand}");
                        assert!(timed <= by_hand_timed + ALLOWED, "{timed} > {by_hand_timed}");
                        // The measured futures do what they are measured for.
                        assert!(annotated_works($($value),*).await);
                    }

                    async fn annotated_works($($arg: $ty),*) -> bool {
                        annotated($($arg),*).await.is_ok()
                    }
                }
            )*
        };
    }

    sized! {
        no_arguments() -> Outcome {
            yield_now().await;
            Ok(())
        }

        a_borrowed_text(text: &str = "text") -> Outcome<usize> {
            yield_now().await;
            Ok(text.len())
        }

        a_text(text: String = String::new()) -> Outcome<usize> {
            yield_now().await;
            Ok(text.len())
        }

        several_owned(
            text: String = String::new(),
            list: Vec<u8> = Vec::new(),
            boxed: Box<u64> = Box::default()
        ) -> Outcome<u64> {
            yield_now().await;
            Ok(text.len() as u64 + list.len() as u64 + *boxed)
        }

        an_array_held(array: [u8; 256] = [0; 256]) -> Outcome<u8> {
            let first = array[0];
            yield_now().await;
            Ok(first + array[255])
        }

        a_large_local() -> Outcome<u8> {
            let local = [1_u8; 1024];
            yield_now().await;
            Ok(std::hint::black_box(&local)[7])
        }

        a_large_value() -> Outcome<[u8; 512]> {
            yield_now().await;
            Ok([1; 512])
        }

        a_large_error() -> Result<u8, [u8; 512]> {
            yield_now().await;
            Ok(1)
        }
    }

    #[retry(stop = attempts(5), wait = exponential(100ms).cap(10s).full_jitter() + fixed(1ms), on = any_error())]
    async fn many_strategies(text: &str) -> Outcome<usize> {
        yield_now().await;
        Ok(text.len())
    }

    #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
    async fn one_strategy(text: &str) -> Outcome<usize> {
        yield_now().await;
        Ok(text.len())
    }

    #[test]
    fn strategies_take_no_room_in_the_future() {
        assert_eq!(size_of_val(&many_strategies("")), size_of_val(&one_strategy("")));
    }
}

/// A shared borrow of these would need `Sync`, which the plain function does not.
mod borrows_of_what_is_not_sync {
    use std::cell::Cell;
    use std::future::Future;
    use std::pin::Pin;

    use retry::retry;
    use tokio::task::yield_now;

    use super::probe;

    #[derive(Default)]
    struct Client(Cell<u32>);

    impl Client {
        fn ask(&self) -> Result<u32, ()> {
            self.0.set(self.0.get() + 1);
            if self.0.get() < 3 { Err(()) } else { Ok(self.0.get()) }
        }

        async fn plain_mut_self(&mut self) -> Result<u32, ()> {
            yield_now().await;
            self.ask()
        }

        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn mut_self(&mut self) -> Result<u32, ()> {
            yield_now().await;
            self.ask()
        }

        async fn plain_pinned(self: Pin<&mut Self>) -> Result<u32, ()> {
            yield_now().await;
            self.ask()
        }

        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn pinned(self: Pin<&mut Self>) -> Result<u32, ()> {
            yield_now().await;
            self.ask()
        }
    }

    async fn plain_mut_argument(client: &mut Client) -> Result<u32, ()> {
        yield_now().await;
        client.ask()
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn mut_argument(client: &mut Client) -> Result<u32, ()> {
        yield_now().await;
        client.ask()
    }

    #[test]
    fn a_mut_borrow_of_what_is_not_sync_can_be_sent() {
        assert!(is_send!(Client::default().plain_mut_self()));
        assert!(is_send!(Client::default().mut_self()));
        assert!(is_send!(plain_mut_argument(&mut Client::default())));
        assert!(is_send!(mut_argument(&mut Client::default())));
    }

    #[test]
    fn a_pinned_mut_borrow_of_what_is_not_sync_can_be_sent() {
        assert!(is_send!(Pin::new(&mut Client::default()).plain_pinned()));
        assert!(is_send!(Pin::new(&mut Client::default()).pinned()));
    }

    #[tokio::test]
    async fn they_work_where_they_are() {
        assert_eq!(Client::default().mut_self().await, Ok(3));
        assert_eq!(Pin::new(&mut Client::default()).pinned().await, Ok(3));
        assert_eq!(mut_argument(&mut Client::default()).await, Ok(3));
        assert_eq!(after_statements(Cell::new(0)).await, Ok(3));
    }

    fn plain_after_statements(cell: Cell<u32>) -> impl Future<Output = Result<u32, ()>> {
        let (client, _) = (Client(cell), 0);
        async move {
            yield_now().await;
            client.ask()
        }
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn after_statements(cell: Cell<u32>) -> impl Future<Output = Result<u32, ()>> {
        let (client, _) = (Client(cell), 0);
        async move {
            yield_now().await;
            client.ask()
        }
    }

    #[test]
    fn a_variable_from_a_pattern_before_the_block_can_be_sent() {
        assert!(is_send!(plain_after_statements(Cell::new(0))));
        assert!(is_send!(after_statements(Cell::new(0))));
    }
}
