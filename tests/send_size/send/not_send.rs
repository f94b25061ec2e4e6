//! Futures that cannot be sent, as that of the plain function cannot.

use super::*;

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
