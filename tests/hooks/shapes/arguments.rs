use super::*;

#[retry(
    stop = attempts(5),
    wait = none(),
    on = any_error(),
    before = |a| seen.push(a.number()),
    after = |_, _| *count += 1,
    before_sleep = |a, _| { seen.push(a.number() * 10); *count += 1; },
    on_success = |_, _| seen.clear(),
)]
fn sync(peer: &Peer, seen: &mut Vec<u32>, count: &mut u32) -> Outcome {
    seen.push(0);
    peer.ask()
}

#[retry(
    stop = attempts(5),
    wait = none(),
    on = any_error(),
    before = async |a| { tokio::task::yield_now().await; seen.push(a.number()) },
    after = |_, _| *count += 1,
    before_sleep = async |a, _| { seen.push(a.number() * 10); *count += 1; },
    on_success = async |_, _| seen.clear(),
)]
async fn asynchronous(peer: &Peer, seen: &mut Vec<u32>, count: &mut u32) -> Outcome {
    seen.push(0);
    peer.ask_slowly().await
}

#[tokio::test]
async fn that_are_borrowed_mutably_are_changed_by_hooks_and_body() {
    let (mut seen, mut count) = (Vec::new(), 0);
    assert_eq!(sync(&Peer::third(), &mut seen, &mut count), Ok(3));
    assert_eq!((seen.len(), count), (0, 4));
    assert_eq!(asynchronous(&Peer::third(), &mut seen, &mut count).await, Ok(3));
    assert_eq!((seen.len(), count), (0, 8));
}

#[retry(
    stop = attempts(5),
    wait = none(),
    on = any_error(),
    clone(text),
    before = |_| peer.note(&*text),
)]
async fn cloned(peer: &Peer, mut text: String) -> Result<String, Busy> {
    text.push('!');
    peer.ask()?;
    Ok(text)
}

#[tokio::test]
async fn that_are_cloned_are_what_the_caller_gave() {
    let peer = Peer::third();
    assert_eq!(cloned(&peer, "text".into()).await.as_deref(), Ok("text!"));
    assert_eq!(peer.notes(), ["text"; 3]);
}
