//! Attributes above `#[retry]` that put the body into blocks and closures of their own: each
//! attempt starts afresh in them.
//!
//! All ask for tracing's events, so that nothing is skipped where the span is disabled.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use ::futures::future::BoxFuture;
use async_trait::async_trait;
use retry::retry;
use tracing::{Instrument as _, instrument};

use crate::flaky::{Busy, Flaky, FlakyCell};

fn assert_send<T: Send>(it: T) -> T {
    it
}

#[derive(Debug)]
struct Client {
    flaky: Flaky,
    seen: u32,
    limit: u32,
    name: String,
}

impl Client {
    fn new() -> Self {
        Self { flaky: Flaky::third(), seen: 0, limit: 5, name: "client".to_owned() }
    }
}

/// `#[instrument]` on plain functions.
mod sync {
    use super::*;

    #[instrument(err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn err(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask()?;
        Ok(text.len())
    }

    #[instrument(ret)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn ret(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask()?;
        Ok(text.len())
    }

    #[instrument(err(Debug), ret, level = "debug", skip(flaky), fields(length = text.len()))]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn both(flaky: &Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask()?;
        Ok(text.len())
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error(), clone(text))]
    fn cloned(flaky: &Flaky, mut text: Vec<u8>) -> Result<Vec<u8>, Busy> {
        text.push(1);
        flaky.ask()?;
        Ok(text)
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn counted(mut n: u32) -> Result<u32, Busy> {
        n += 1;
        if n < 3 { Err(Busy) } else { Ok(n) }
    }

    #[instrument(skip_all, err, ret)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn pattern((a, b): (String, u32), [c, d]: [u32; 2], flaky: Flaky) -> Result<u32, Busy> {
        flaky.ask()?;
        Ok(a.len() as u32 + b + c + d)
    }

    #[instrument(err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn generic<T, const N: usize>(
        flaky: Flaky,
        items: [T; N],
        name: impl AsRef<str> + Debug,
    ) -> Result<usize, Busy>
    where
        T: Debug + Clone,
    {
        flaky.ask()?;
        Ok(items.len() + name.as_ref().len())
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn borrows<'a>(flaky: &Flaky, text: &'a str) -> Result<&'a str, Busy> {
        flaky.ask()?;
        Ok(&text[1..])
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn through_mut(queue: &mut VecDeque<Result<u32, Busy>>) -> Result<u32, Busy> {
        queue.pop_front().unwrap_or(Err(Busy))
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    #[instrument(skip_all, ret)]
    fn between(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask()?;
        Ok(text.len())
    }

    #[instrument(skip_all, err)]
    #[instrument(skip_all, ret, err(Debug))]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn twice(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask()?;
        Ok(text.len())
    }

    // The body's own `move` stays one.
    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn moves_itself(flaky: &Flaky, text: String) -> Result<Box<dyn Fn() -> usize>, Busy> {
        let n = flaky.ask()?;
        let length = text.len();
        Ok(Box::new(move || length + n as usize))
    }

    #[instrument(skip_all, ret)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn option(flaky: Flaky, text: String) -> Option<usize> {
        flaky.ask().ok()?;
        Some(text.len())
    }

    impl Client {
        #[instrument(err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        fn by_ref(&self, text: String) -> Result<usize, Busy> {
            self.flaky.ask()?;
            Ok(text.len())
        }

        #[instrument(err, ret)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        fn by_mut(&mut self) -> Result<u32, Busy> {
            self.seen += 1;
            self.flaky.ask()?;
            Ok(self.seen)
        }

        #[instrument(err, ret)]
        #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
        fn by_value(self) -> Result<u32, Busy> {
            self.flaky.ask()
        }

        #[instrument(skip_all, err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        fn by_mut_value(mut self, by: u32) -> Result<u32, Busy> {
            self.seen += by;
            self.flaky.ask()?;
            Ok(self.seen)
        }

        #[instrument(err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        fn by_box(self: Box<Self>) -> Result<u32, Busy> {
            self.flaky.ask()
        }

        #[instrument(err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        fn by_arc(self: Arc<Self>) -> Result<u32, Busy> {
            self.flaky.ask()
        }

        #[instrument(skip_all, err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        fn lends(&self) -> Result<&str, Busy> {
            self.flaky.ask()?;
            Ok(&self.name)
        }
    }

    #[test]
    fn a_span_above_leaves_each_attempt_its_arguments() {
        let text = || "four".to_owned();
        assert_eq!(err(Flaky::third(), text()), Ok(4));
        assert_eq!(ret(Flaky::third(), text()), Ok(4));
        assert_eq!(both(&Flaky::third(), text()), Ok(4));
        assert_eq!(pattern((text(), 1), [2, 3], Flaky::third()), Ok(10));
        assert_eq!(generic(Flaky::third(), [1, 2, 3], "four"), Ok(7));
        assert_eq!(borrows(&Flaky::third(), "four"), Ok("our"));
        assert_eq!(through_mut(&mut [Err(Busy), Err(Busy), Ok(3)].into()), Ok(3));
        assert_eq!(between(Flaky::third(), text()), Ok(4));
        assert_eq!(twice(Flaky::third(), text()), Ok(4));
        assert_eq!(moves_itself(&Flaky::third(), text()).unwrap()(), 7);
        assert_eq!(option(Flaky::third(), text()), Some(4));
    }

    #[test]
    fn a_clone_is_fresh_and_a_mut_argument_persists_under_a_span() {
        assert_eq!(cloned(&Flaky::third(), vec![0]), Ok(vec![0, 1]));
        assert_eq!(counted(0), Ok(3));
    }

    #[test]
    fn a_span_above_leaves_each_attempt_its_self() {
        assert_eq!(Client::new().by_ref("four".to_owned()), Ok(4));
        assert_eq!(Client::new().by_mut(), Ok(3));
        assert_eq!(Client::new().by_value(), Ok(3));
        assert_eq!(Client::new().by_mut_value(2), Ok(6));
        assert_eq!(Box::new(Client::new()).by_box(), Ok(3));
        assert_eq!(Arc::new(Client::new()).by_arc(), Ok(3));
        assert_eq!(Client::new().lends(), Ok("client"));
    }
}

/// `#[instrument]` on async functions.
mod asynchronous {
    use super::*;

    #[instrument]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn bare(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }

    #[instrument(err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn err(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }

    #[instrument(ret)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn ret(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }

    #[instrument(err(Debug), ret, level = "debug", skip(flaky), fields(length = text.len()))]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn both(flaky: &Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error(), clone(text))]
    async fn cloned(flaky: &Flaky, mut text: Vec<u8>) -> Result<Vec<u8>, Busy> {
        text.push(1);
        flaky.ask_slowly().await?;
        Ok(text)
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn counted(mut n: u32) -> Result<u32, Busy> {
        n += 1;
        if n < 3 { Err(Busy) } else { Ok(n) }
    }

    #[instrument(skip_all, err, ret)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn pattern((a, b): (String, u32), [c, d]: [u32; 2], flaky: Flaky) -> Result<u32, Busy> {
        flaky.ask_slowly().await?;
        Ok(a.len() as u32 + b + c + d)
    }

    #[instrument(err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn generic<T, const N: usize>(
        flaky: Flaky,
        items: [T; N],
        name: impl AsRef<str> + Debug,
    ) -> Result<usize, Busy>
    where
        T: Debug + Clone,
    {
        flaky.ask_slowly().await?;
        Ok(items.len() + name.as_ref().len())
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn borrows<'a>(flaky: &Flaky, text: &'a str) -> Result<&'a str, Busy> {
        flaky.ask_slowly().await?;
        Ok(&text[1..])
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn through_mut(queue: &mut VecDeque<Result<u32, Busy>>) -> Result<u32, Busy> {
        tokio::task::yield_now().await;
        queue.pop_front().unwrap_or(Err(Busy))
    }

    // `Send`, though not `Sync`.
    #[instrument(skip_all, err, ret)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn cell(flaky: FlakyCell, cell: Cell<u32>) -> Result<u32, Busy> {
        tokio::task::yield_now().await;
        cell.set(cell.get() + 1);
        flaky.ask()?;
        Ok(cell.get())
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    #[instrument(skip_all, ret)]
    async fn between(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }

    #[instrument(skip_all, err)]
    #[instrument(skip_all, ret, err(Debug))]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn twice(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }

    // The body's own `move` stays one: a task cannot borrow.
    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn spawns(flaky: Arc<Flaky>, text: String) -> Result<usize, Busy> {
        let (flaky, text) = (flaky.clone(), text.clone());
        tokio::spawn(async move {
            flaky.ask_slowly().await?;
            Ok(text.len())
        })
        .await
        .unwrap()
    }

    #[instrument(skip_all, ret)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn option(flaky: Flaky, text: String) -> Option<usize> {
        flaky.ask_slowly().await.ok()?;
        Some(text.len())
    }

    impl Client {
        #[instrument(err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn by_ref_slowly(&self, text: String) -> Result<usize, Busy> {
            self.flaky.ask_slowly().await?;
            Ok(text.len())
        }

        #[instrument(err, ret)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn by_mut_slowly(&mut self) -> Result<u32, Busy> {
            self.seen += 1;
            self.flaky.ask_slowly().await?;
            Ok(self.seen)
        }

        #[instrument(err, ret)]
        #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
        async fn by_value_slowly(self) -> Result<u32, Busy> {
            self.flaky.ask_slowly().await
        }

        #[instrument(skip_all, err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn by_mut_value_slowly(mut self, by: u32) -> Result<u32, Busy> {
            self.seen += by;
            self.flaky.ask_slowly().await?;
            Ok(self.seen)
        }

        #[instrument(err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn by_box_slowly(self: Box<Self>) -> Result<u32, Busy> {
            self.flaky.ask_slowly().await
        }

        #[instrument(err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn by_arc_slowly(self: Arc<Self>) -> Result<u32, Busy> {
            self.flaky.ask_slowly().await
        }

        #[instrument(skip_all, err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn lends_slowly(&self) -> Result<&str, Busy> {
            self.flaky.ask_slowly().await?;
            Ok(&self.name)
        }
    }

    #[tokio::test]
    async fn a_span_above_leaves_each_attempt_its_arguments() {
        let text = || "four".to_owned();
        assert_eq!(assert_send(bare(Flaky::third(), text())).await, Ok(4));
        assert_eq!(assert_send(err(Flaky::third(), text())).await, Ok(4));
        assert_eq!(assert_send(ret(Flaky::third(), text())).await, Ok(4));
        assert_eq!(assert_send(both(&Flaky::third(), text())).await, Ok(4));
        assert_eq!(assert_send(pattern((text(), 1), [2, 3], Flaky::third())).await, Ok(10));
        assert_eq!(assert_send(generic(Flaky::third(), [1, 2, 3], "four")).await, Ok(7));
        assert_eq!(assert_send(borrows(&Flaky::third(), "four")).await, Ok("our"));
        assert_eq!(assert_send(through_mut(&mut [Err(Busy), Ok(3)].into())).await, Ok(3));
        assert_eq!(assert_send(cell(FlakyCell::third(), Cell::new(0))).await, Ok(3));
        assert_eq!(assert_send(between(Flaky::third(), text())).await, Ok(4));
        assert_eq!(assert_send(twice(Flaky::third(), text())).await, Ok(4));
        assert_eq!(assert_send(spawns(Flaky::third().into(), text())).await, Ok(4));
        assert_eq!(assert_send(option(Flaky::third(), text())).await, Some(4));
    }

    #[tokio::test]
    async fn a_clone_is_fresh_and_a_mut_argument_persists_under_a_span() {
        assert_eq!(cloned(&Flaky::third(), vec![0]).await, Ok(vec![0, 1]));
        assert_eq!(counted(0).await, Ok(3));
    }

    #[tokio::test]
    async fn a_span_above_leaves_each_attempt_its_self() {
        assert_eq!(Client::new().by_ref_slowly("four".to_owned()).await, Ok(4));
        assert_eq!(Client::new().by_mut_slowly().await, Ok(3));
        assert_eq!(Client::new().by_value_slowly().await, Ok(3));
        assert_eq!(Client::new().by_mut_value_slowly(2).await, Ok(6));
        assert_eq!(Box::new(Client::new()).by_box_slowly().await, Ok(3));
        assert_eq!(Arc::new(Client::new()).by_arc_slowly().await, Ok(3));
        assert_eq!(Client::new().lends_slowly().await, Ok("client"));
    }
}

/// `#[instrument]` on functions that return futures.
mod futures {
    use super::*;

    #[instrument(err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn boxed(flaky: Flaky, text: String) -> BoxFuture<'static, Result<usize, Busy>> {
        Box::pin(async move {
            flaky.ask_slowly().await?;
            Ok(text.len())
        })
    }

    #[instrument(ret)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn dynamic(
        flaky: &Flaky,
        text: String,
    ) -> Pin<Box<dyn Future<Output = Result<usize, Busy>> + Send + '_>> {
        Box::pin(async move {
            flaky.ask_slowly().await?;
            Ok(text.len())
        })
    }

    #[instrument(err, ret, fields(length = text.len()))]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn opaque(flaky: Flaky, text: String) -> impl Future<Output = Result<usize, Busy>> + Send {
        async move {
            flaky.ask_slowly().await?;
            Ok(text.len())
        }
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error(), clone(parts))]
    fn cloned(flaky: Flaky, mut parts: Vec<u8>) -> BoxFuture<'static, Result<Vec<u8>, Busy>> {
        Box::pin(async move {
            parts.push(1);
            flaky.ask_slowly().await?;
            Ok(parts)
        })
    }

    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn cell(flaky: FlakyCell, cell: Cell<u32>) -> BoxFuture<'static, Result<u32, Busy>> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            cell.set(cell.get() + 1);
            flaky.ask()?;
            Ok(cell.get())
        })
    }

    #[instrument(skip_all)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn instrumented_by_hand(flaky: Flaky) -> impl Future<Output = Result<u32, Busy>> {
        async move { flaky.ask_slowly().await }.instrument(tracing::info_span!("by hand"))
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn instrumented_in_a_box(
        flaky: Flaky,
        text: String,
    ) -> BoxFuture<'static, Result<usize, Busy>> {
        Box::pin(
            async move {
                flaky.ask_slowly().await?;
                Ok(text.len())
            }
            .in_current_span(),
        )
    }

    impl Client {
        #[instrument(skip_all, err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        fn boxed_by_mut(&mut self) -> BoxFuture<'_, Result<u32, Busy>> {
            Box::pin(async move {
                self.seen += 1;
                self.flaky.ask_slowly().await?;
                Ok(self.seen)
            })
        }

        #[instrument(skip_all, err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        fn opaque_by_value(self) -> impl Future<Output = Result<u32, Busy>> + Send {
            async move { self.flaky.ask_slowly().await }
        }
    }

    #[tokio::test]
    async fn a_span_above_leaves_each_attempt_its_arguments() {
        let text = || "four".to_owned();
        assert_eq!(boxed(Flaky::third(), text()).await, Ok(4));
        assert_eq!(dynamic(&Flaky::third(), text()).await, Ok(4));
        assert_eq!(opaque(Flaky::third(), text()).await, Ok(4));
        assert_eq!(cloned(Flaky::third(), vec![0]).await, Ok(vec![0, 1]));
        assert_eq!(cell(FlakyCell::third(), Cell::new(0)).await, Ok(3));
        assert_eq!(Client::new().boxed_by_mut().await, Ok(3));
        assert_eq!(Client::new().opaque_by_value().await, Ok(3));
    }

    #[tokio::test]
    async fn a_span_around_the_block_is_seen_through() {
        assert_eq!(instrumented_by_hand(Flaky::third()).await, Ok(3));
        assert_eq!(instrumented_in_a_box(Flaky::third(), "four".to_owned()).await, Ok(4));
    }
}

/// Both attributes under `#[async_trait]`, in either order.
mod trait_methods {
    use super::*;

    #[async_trait]
    trait Store {
        async fn by_ref(&self, text: String) -> Result<usize, Busy>;
        async fn by_mut(&mut self, text: String) -> Result<usize, Busy>;
        async fn by_value(self, by: u32) -> Result<u32, Busy>
        where
            Self: Sized;
        async fn by_box(self: Box<Self>) -> Result<u32, Busy>;
        async fn by_arc(self: Arc<Self>) -> Result<u32, Busy>;
        async fn lends(&self) -> Result<&str, Busy>;
        async fn pattern(&self, (a, b): (String, u32)) -> Result<usize, Busy>;
        async fn cell(&self, cell: Cell<u32>) -> Result<u32, Busy>;
        async fn generic<T: Send + Debug + 'static>(&self, items: [T; 2]) -> Result<usize, Busy>;
        async fn cloned(&mut self, parts: Vec<u8>) -> Result<Vec<u8>, Busy>;
        async fn free(flaky: Flaky, text: String) -> Result<usize, Busy>
        where
            Self: Sized;
        async fn below(&mut self, text: String) -> Result<usize, Busy>;

        fn flaky(&self) -> &Flaky;

        #[instrument(skip_all, err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn by_default(&self, text: String) -> Result<usize, Busy> {
            self.flaky().ask_slowly().await?;
            Ok(text.len())
        }
    }

    #[async_trait]
    impl Store for Client {
        #[instrument(err)]
        #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
        async fn by_ref(&self, text: String) -> Result<usize, Busy> {
            self.flaky.ask_slowly().await?;
            Ok(text.len())
        }

        #[instrument(err, ret, fields(seen = self.seen))]
        #[retry(stop = attempts(self.limit), wait = none(), on = |_| self.seen < 9)]
        async fn by_mut(&mut self, text: String) -> Result<usize, Busy> {
            self.seen += 1;
            self.flaky.ask_slowly().await?;
            Ok(text.len() + self.seen as usize)
        }

        #[instrument(err, ret)]
        #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
        async fn by_value(mut self, by: u32) -> Result<u32, Busy> {
            self.seen += by;
            self.flaky.ask_slowly().await?;
            Ok(self.seen)
        }

        #[instrument(err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn by_box(self: Box<Self>) -> Result<u32, Busy> {
            self.flaky.ask_slowly().await
        }

        #[instrument(ret)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn by_arc(self: Arc<Self>) -> Result<u32, Busy> {
            self.flaky.ask_slowly().await
        }

        #[instrument(skip_all, err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn lends(&self) -> Result<&str, Busy> {
            self.flaky.ask_slowly().await?;
            Ok(&self.name)
        }

        // The span shows the argument, whose parts the attempts need.
        #[instrument(skip(self), err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn pattern(&self, (a, b): (String, u32)) -> Result<usize, Busy> {
            self.flaky.ask_slowly().await?;
            Ok(a.len() + b as usize)
        }

        #[instrument(skip_all, err, ret)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn cell(&self, cell: Cell<u32>) -> Result<u32, Busy> {
            cell.set(cell.get() + 1);
            self.flaky.ask_slowly().await?;
            Ok(cell.get())
        }

        #[instrument(err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn generic<T: Send + Debug + 'static>(&self, items: [T; 2]) -> Result<usize, Busy> {
            self.flaky.ask_slowly().await?;
            Ok(items.len())
        }

        #[instrument(err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error(), clone(parts))]
        async fn cloned(&mut self, mut parts: Vec<u8>) -> Result<Vec<u8>, Busy> {
            parts.push(1);
            self.flaky.ask_slowly().await?;
            Ok(parts)
        }

        #[instrument(err)]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn free(flaky: Flaky, text: String) -> Result<usize, Busy> {
            flaky.ask_slowly().await?;
            Ok(text.len())
        }

        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        #[instrument(err, ret)]
        async fn below(&mut self, text: String) -> Result<usize, Busy> {
            self.seen += 1;
            self.flaky.ask_slowly().await?;
            Ok(text.len() + self.seen as usize)
        }

        fn flaky(&self) -> &Flaky {
            &self.flaky
        }
    }

    #[tokio::test]
    async fn a_span_above_leaves_each_attempt_its_arguments() {
        let text = || "four".to_owned();
        assert_eq!(Client::new().by_ref(text()).await, Ok(4));
        assert_eq!(Client::new().by_mut(text()).await, Ok(7));
        assert_eq!(Client::new().by_value(2).await, Ok(6));
        assert_eq!(Box::new(Client::new()).by_box().await, Ok(3));
        assert_eq!(Arc::new(Client::new()).by_arc().await, Ok(3));
        assert_eq!(Client::new().lends().await, Ok("client"));
        assert_eq!(Client::new().pattern((text(), 1)).await, Ok(5));
        assert_eq!(Client::new().cell(Cell::new(0)).await, Ok(3));
        assert_eq!(Client::new().generic([1, 2]).await, Ok(2));
        assert_eq!(Client::new().cloned(vec![0]).await, Ok(vec![0, 1]));
        assert_eq!(Client::free(Flaky::third(), text()).await, Ok(4));
        assert_eq!(Client::new().by_default(text()).await, Ok(4));
    }

    #[tokio::test]
    async fn a_span_below_works_as_well() {
        assert_eq!(Client::new().below("four".to_owned()).await, Ok(7));
    }
}

/// `#[trace]` of fastrace, which wraps the block of a boxed future as well.
mod traced {
    use super::*;
    use fastrace::trace;

    #[trace]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn plain(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask()?;
        Ok(text.len())
    }

    #[trace]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn asynchronous(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }

    #[trace(enter_on_poll = true)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn on_poll(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }

    #[trace(properties = { "text": "{text}" })]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn with_properties(flaky: Flaky, text: String) -> Result<usize, Busy> {
        flaky.ask_slowly().await?;
        Ok(text.len())
    }

    #[trace]
    #[instrument(skip_all, err)]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn cell(flaky: FlakyCell, cell: Cell<u32>) -> Result<u32, Busy> {
        tokio::task::yield_now().await;
        cell.set(cell.get() + 1);
        flaky.ask()?;
        Ok(cell.get())
    }

    #[trace]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn boxed(flaky: Flaky, text: String) -> BoxFuture<'static, Result<usize, Busy>> {
        Box::pin(async move {
            flaky.ask_slowly().await?;
            Ok(text.len())
        })
    }

    #[trace]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn opaque(flaky: Flaky, text: String) -> impl Future<Output = Result<usize, Busy>> + Send {
        async move {
            flaky.ask_slowly().await?;
            Ok(text.len())
        }
    }

    #[async_trait]
    trait Store {
        async fn by_mut(&mut self, text: String) -> Result<usize, Busy>;
        async fn by_box(self: Box<Self>, (a, b): (String, u32)) -> Result<usize, Busy>;
        async fn both(&mut self, text: String) -> Result<usize, Busy>;
    }

    #[async_trait]
    impl Store for Client {
        #[trace]
        #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
        async fn by_mut(&mut self, text: String) -> Result<usize, Busy> {
            self.seen += 1;
            self.flaky.ask_slowly().await?;
            Ok(text.len() + self.seen as usize)
        }

        #[trace]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn by_box(self: Box<Self>, (a, b): (String, u32)) -> Result<usize, Busy> {
            self.flaky.ask_slowly().await?;
            Ok(a.len() + b as usize)
        }

        #[instrument(err)]
        #[trace]
        #[retry(stop = attempts(5), wait = none(), on = any_error())]
        async fn both(&mut self, text: String) -> Result<usize, Busy> {
            self.flaky.ask_slowly().await?;
            Ok(text.len())
        }
    }

    #[tokio::test]
    async fn a_trace_above_leaves_each_attempt_its_arguments() {
        let text = || "four".to_owned();
        assert_eq!(plain(Flaky::third(), text()), Ok(4));
        assert_eq!(assert_send(asynchronous(Flaky::third(), text())).await, Ok(4));
        assert_eq!(assert_send(on_poll(Flaky::third(), text())).await, Ok(4));
        assert_eq!(assert_send(with_properties(Flaky::third(), text())).await, Ok(4));
        assert_eq!(assert_send(cell(FlakyCell::third(), Cell::new(0))).await, Ok(3));
        assert_eq!(boxed(Flaky::third(), text()).await, Ok(4));
        assert_eq!(opaque(Flaky::third(), text()).await, Ok(4));
        assert_eq!(Client::new().by_mut(text()).await, Ok(7));
        assert_eq!(Box::new(Client::new()).by_box((text(), 1)).await, Ok(5));
        assert_eq!(Client::new().both(text()).await, Ok(4));
    }
}
