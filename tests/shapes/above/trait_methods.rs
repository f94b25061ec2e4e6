//! Both attributes under `#[async_trait]`, in either order.

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
