//! Arguments of every kind.

use super::*;

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
