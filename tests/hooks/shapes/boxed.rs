use super::*;

#[async_trait]
trait Store {
    async fn get(&self, key: &str) -> Outcome;
    async fn put(&mut self, key: String) -> Outcome;
}

struct Disk {
    peer: Peer,
    retries: u32,
}

impl Disk {
    fn allows(&self, attempt: &Attempt) -> bool {
        self.peer.note(format!("gate {}", attempt.number()));
        true
    }
}

#[async_trait]
impl Store for Disk {
    #[retry(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        before = async |a| self.peer.note_slowly(format!("{key} {}", a.number())).await,
        gate = |a, _| self.allows(a),
        on_success = |r, _| self.peer.note(format!("{key} took {}", r.attempts())),
    )]
    async fn get(&self, key: &str) -> Outcome {
        self.peer.ask_slowly().await
    }

    #[retry(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        before_sleep = |_, _| self.retries += 1,
        gate = async |_, _| { tokio::task::yield_now().await; self.retries += 10; true },
        fallback = |r, _| Ok(r.attempts() + u32::try_from(key.len()).unwrap()),
    )]
    async fn put(&mut self, key: String) -> Outcome {
        self.peer.ask_slowly().await
    }
}

#[tokio::test]
async fn by_async_trait_see_self_and_arguments() {
    let mut disk = Disk { peer: Peer::third(), retries: 0 };
    assert_eq!(disk.get("key").await, Ok(3));
    let noted = ["key 1", "gate 2", "key 2", "gate 3", "key 3", "key took 3"];
    assert_eq!(disk.peer.notes(), noted);
    disk.peer = Peer::never();
    assert_eq!(disk.put("key".into()).await, Ok(8));
    assert_eq!(disk.retries, 44);
}

#[retry(
    stop = attempts(5),
    wait = none(),
    on = any_error(),
    before = |a| peer.note(format!("{text} {}", a.number())),
    after = async |_, o| peer.note(format!("{o:?}")),
    on_success = |_, _| peer.note(text),
)]
fn by_hand<'a>(
    peer: &'a Peer,
    text: &'a str,
) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
    Box::pin(async move { peer.ask_slowly().await })
}

#[retry(
    stop = attempts(5),
    wait = none(),
    on = any_error(),
    before = |a| peer.note(format!("{text} {}", a.number())),
    after = async |_, o| peer.note(format!("{o:?}")),
    on_success = |_, _| peer.note(text),
)]
fn opaque<'a>(peer: &'a Peer, text: &'a str) -> impl Future<Output = Outcome> + Send + 'a {
    async move { peer.ask_slowly().await }
}

#[tokio::test]
async fn by_hand_and_opaque_futures_run_their_hooks() {
    let noted = ["text 1", "Err(Busy(1))", "text 2", "Err(Busy(2))", "text 3", "text"];
    let peer = Peer::third();
    assert_eq!(by_hand(&peer, "text").await, Ok(3));
    assert_eq!(peer.notes(), noted);
    let peer = Peer::third();
    assert_eq!(opaque(&peer, "text").await, Ok(3));
    assert_eq!(peer.notes(), noted);
}
