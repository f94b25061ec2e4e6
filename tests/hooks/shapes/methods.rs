use super::*;

struct Client {
    peer: Peer,
    limit: u32,
    failures: u32,
}

impl Client {
    fn new() -> Self {
        Self { peer: Peer::third(), limit: 5, failures: 0 }
    }

    fn log<E: Debug>(attempt: &Attempt, outcome: &Result<u32, E>) {
        jot_outcome(attempt, outcome);
    }

    async fn log_slowly(attempt: &Attempt, outcome: &Outcome) {
        tokio::task::yield_now().await;
        Self::log(attempt, outcome);
    }

    fn failed(&mut self) {
        self.failures += 1;
    }

    #[retry(
        stop = attempts(self.limit),
        wait = none(),
        on = any_error(),
        before = |a| self.peer.note(format!("{} of {}", a.number(), self.limit)),
        before_sleep = [Self::log, Self::log::<Busy>, Client::log],
    )]
    fn by_ref(&self) -> Outcome {
        self.peer.ask()
    }

    #[retry(
        stop = attempts(self.limit),
        wait = none(),
        on = any_error(),
        before = |_| self.limit += 1,
        after = |_, _| self.failed(),
        gate = |_, _| { self.failures += 10; true },
        fallback = |_, o| { self.failures += 100; o },
        on_success = |_, o| self.limit = *o.as_ref().unwrap() * 1000,
    )]
    fn by_mut(&mut self) -> Outcome {
        self.failures += 1000;
        self.peer.ask()
    }

    #[retry(
        stop = attempts(self.limit),
        wait = none(),
        on = any_error(),
        before = async |_| self.limit += 1,
        after = async |_, _| { tokio::task::yield_now().await; self.failed() },
        gate = async |_, _| { self.failures += 10; tokio::task::yield_now().await; true },
        fallback = async |_, o| { self.failures += 100; o },
        on_success = |_, o| self.limit = *o.as_ref().unwrap() * 1000,
    )]
    async fn by_mut_async(&mut self) -> Outcome {
        self.failures += 1000;
        self.peer.ask_slowly().await
    }

    #[retry(
        stop = attempts(self.limit),
        wait = none(),
        on = any_error(),
        before_sleep = [Self::log, Self::log_slowly],
    )]
    async fn by_ref_async(&self) -> Outcome {
        self.peer.ask_slowly().await
    }
}

#[tokio::test]
async fn borrow_self_and_name_its_functions() {
    let client = Client::new();
    assert_eq!(client.by_ref(), Ok(3));
    assert_eq!(client.peer.notes(), ["1 of 5", "2 of 5", "3 of 5"]);
    assert_eq!(jotted().len(), 6);
    let client = Client::new();
    assert_eq!(client.by_ref_async().await, Ok(3));
    assert_eq!(jotted().len(), 4);
}

#[tokio::test]
async fn change_self_between_attempts() {
    let mut client = Client::new();
    assert_eq!(client.by_mut(), Ok(3));
    assert_eq!((client.limit, client.failures), (3000, 3022));
    let mut client = Client::new();
    assert_eq!(client.by_mut_async().await, Ok(3));
    assert_eq!((client.limit, client.failures), (3000, 3022));
}
