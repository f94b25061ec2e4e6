use std::borrow::Cow;
use std::future::Future;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use async_trait::async_trait;
use futures::future::BoxFuture;
use retry::{Attempt, BoxedPolicy, Report, RetryError, retry};

use crate::{Busy, ask, ask_slowly};

/// Asks, under lints on documentation: names such as `Busy` in code are let through, and
/// so is what follows a list.
///
/// # Errors
///
/// - `Busy`, every other time.
#[retry(
    stop = attempts(3) | within(30s),
    wait = exponential(100ms).cap(10s).full_jitter(),
    sleep = |_| (),
    on = |_: &Busy| "a `text` of HTML <b>".len() > 3,
)]
fn documented(text: &str) -> Result<usize, Busy> {
    ask(text)
}

/// Asks slowly.
#[retry(stop = attempts(3), wait = none(), on = is::<Busy>(), enabled = !cfg!(miri))]
async fn documented_async(text: &str) -> Result<usize, Busy> {
    ask_slowly(text).await
}

fn look(attempt: &Attempt, outcome: &Result<usize, Busy>) {
    assert_eq!(outcome.is_err(), attempt.duration().is_some(), "{attempt:?}");
}

async fn look_slowly(attempt: &Attempt, outcome: &Result<usize, Busy>) {
    tokio::task::yield_now().await;
    look(attempt, outcome);
}

const fn or_zero(_: &Report, outcome: Result<usize, Busy>) -> Result<usize, Busy> {
    outcome
}

static POLICY: LazyLock<BoxedPolicy<Busy>> = LazyLock::new(|| {
    retry::policy! { stop = attempts(3), wait = none(), on = any_error() }.boxed()
});

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = [|_| {}, |attempt| *seen = attempt.number()],
    after = [look, |_, outcome| drop(outcome.clone())],
    before_sleep = |_, _| *seen = seen.saturating_add(1),
    on_success = |report, _| *seen = report.attempts(),
    on_give_up = |_, _| (),
    gate = |attempt, _| attempt.number() < 9,
    reset = |_, _| false,
    fallback = or_zero,
    warn_after = 2,
)]
fn hooked(text: &str, seen: &mut u32) -> Result<usize, Busy> {
    ask(text)
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = [async |_| {}, async |attempt| *seen = attempt.number(), |_| ()],
    after = [look, look_slowly, |_, outcome| drop(outcome.clone())],
    before_sleep = async |_, _| {
        tokio::task::yield_now().await;
        *seen = seen.saturating_add(1);
    },
    on_success = |report, _| *seen = report.attempts(),
    on_give_up = |_, _| async {},
    gate = async |attempt, _| attempt.number() < 9,
    reset = 1h,
    fallback = async |_, outcome| outcome,
    warn_after = 1.5s,
)]
async fn hooked_async(text: &str, seen: &mut u32) -> Result<usize, Busy> {
    ask_slowly(text).await
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), gate = |_, _| true)]
fn gated_copy(text: &str) -> Option<usize> {
    ask(text).ok()
}

#[retry(policy = POLICY, warn_after = 2)]
fn by_policy(text: &str) -> Result<usize, Busy> {
    ask(text)
}

#[retry(policy = POLICY, wait = none())]
async fn by_policy_async(text: &str) -> Result<usize, Busy> {
    ask_slowly(text).await
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn wrapped(text: &str) -> Result<usize, RetryError<Busy>> {
    let length = ask(text)?;
    Ok(length)
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), fallback = |_, outcome| outcome)]
async fn wrapped_async(text: &str) -> Result<usize, RetryError<Busy>> {
    ask_slowly(text).await
}

/// What is called with hooks and policies, each of which recovers.
pub(crate) async fn hooks() -> usize {
    let mut seen = 0;
    let mut recovered = 0_usize;
    let outcomes = [
        hooked("text", &mut seen).ok(),
        hooked_async("text", &mut seen).await.ok(),
        gated_copy("text"),
        by_policy("text").ok(),
        by_policy_async("text").await.ok(),
        wrapped("text").ok(),
        wrapped_async("text").await.ok(),
        retry::block!(
            stop = attempts(3),
            wait = none(),
            on = any_error(),
            before = |_| seen = 0,
            fallback = |_, outcome| outcome,
            || ask("text")
        )
        .ok(),
        retry::block!(
            stop = attempts(3),
            wait = none(),
            on = any_error(),
            before = async |_| seen = 0,
            fallback = or_zero,
            async { ask_slowly("text").await }
        )
        .ok(),
    ];
    for outcome in outcomes {
        recovered = recovered.saturating_add(outcome.map_or(0, |_| 1));
    }
    recovered
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn plain(text: &str) -> Result<usize, Busy> {
    ask(text)
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn asynchronous(text: &str) -> Result<usize, Busy> {
    ask_slowly(text).await
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn early(text: &str) -> Result<usize, Busy> {
    if text.is_empty() {
        return Err(Busy);
    }
    let length = ask(text)?;
    Ok(length)
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn early_async(text: &str) -> Result<usize, Busy> {
    if text.is_empty() {
        return Err(Busy);
    }
    let length = ask_slowly(text).await?;
    Ok(length)
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn owned(text: String, list: Vec<u8>, _ignored: u8, _: u8) -> Result<usize, Busy> {
    let length = ask_slowly(&text).await?;
    Ok(length.saturating_add(list.len()))
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), clone(text))]
fn cloned(text: String) -> Result<String, Busy> {
    ask(&text).map(|_| text)
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), clone(text, list))]
async fn cloned_async(mut text: String, list: Vec<u8>) -> Result<(String, Vec<u8>), Busy> {
    text.push('!');
    let _length: usize = ask_slowly(&text).await?;
    Ok((text, list))
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), clone(text))]
fn cloned_mut(mut text: String) -> Result<String, Busy> {
    text.push('!');
    ask(&text).map(|_| text)
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn mutable(mut count: u32, mut text: String) -> Result<usize, Busy> {
    count = count.saturating_add(1);
    text.push('!');
    let length = ask_slowly(&text).await?;
    Ok(length.max(usize::try_from(count).unwrap_or(0)))
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn mutable_sync(mut count: usize) -> Result<usize, Busy> {
    count = count.saturating_add(1);
    ask("text").map(|length| length.max(count))
}

struct Pair {
    left: String,
    right: String,
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), clone(left))]
async fn patterns(
    Pair { left, right }: Pair,
    (first, second): (usize, usize),
) -> Result<usize, Busy> {
    drop(left);
    let length = ask_slowly(&right).await?;
    Ok(length.saturating_add(first).saturating_add(second))
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn generic<Text, const SIZE: usize>(text: Text) -> Result<[usize; SIZE], Busy>
where
    Text: AsRef<str> + Send,
{
    let length = ask_slowly(text.as_ref()).await?;
    Ok([length; SIZE])
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn opaque_value(text: &str) -> Result<impl Iterator<Item = usize> + use<>, Busy> {
    Ok(0..ask(text)?)
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn borrowed<'text>(text: &'text str) -> Result<Cow<'text, str>, Busy> {
    let _length: usize = ask_slowly(text).await?;
    Ok(text.into())
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn opaque(text: &str) -> impl Future<Output = Result<usize, Busy>> + Send {
    let upper = text.to_uppercase();
    async move {
        let length = ask_slowly(&upper).await?;
        Ok(length)
    }
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn boxed(text: String) -> BoxFuture<'static, Result<usize, Busy>> {
    Box::pin(async move { ask_slowly(&text).await })
}

#[retry(stop = attempts(3), wait = none(), on = output(|length| *length == 0))]
fn value(text: &str) -> usize {
    text.len()
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn option(text: &str) -> Option<usize> {
    ask_slowly(text).await.ok()
}

#[retry(stop = attempts(3), wait = none())]
async fn transient(text: &str) -> std::io::Result<usize> {
    Ok(ask_slowly(text).await.map_err(|_| std::io::ErrorKind::ConnectionRefused)?)
}

#[retry(
    stop = attempts(5) | within(30s) | (|state| state.attempt() > limit) | Some(3).map(attempts),
    wait = (exponential(1ms).cap(2ms).full_jitter() + fixed(1us)).max(|_| Duration::ZERO),
    on = (is::<Busy>() | source_is::<Busy>()).at_most(3)
        & !error(|_| false)
        & matches(Err(_) | Ok(0)),
    max_hint = clamp(1s),
    idempotent = limit > 1,
    enabled = limit > 0,
    name = "all",
)]
async fn all_keys(text: &str, limit: u32) -> Result<usize, Busy> {
    ask_slowly(text).await
}

#[retry(stop = attempts(3), wait = none(), on = matches(Ok(0) | Err(_)), sleep = |_| ())]
fn matching(text: &str) -> Result<usize, Busy> {
    ask(text)
}

#[retry(forever, wait = none(), on = any_error(), sleep = tokio::time::sleep, idempotent)]
async fn endless(text: &str) -> Result<usize, Busy> {
    ask_slowly(text).await
}

#[retry(stop = if slow { attempts(3) } else { attempts(2) }, wait = (none()), on = (any_error()))]
fn chosen(text: &str, slow: bool) -> Result<usize, Busy> {
    ask(text)
}

struct Client {
    text: String,
    limit: u32,
}

impl Client {
    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    fn by_ref(&self) -> Result<&str, Busy> {
        ask(&self.text).map(|_| self.text.as_str())
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn by_mut(&mut self, text: &str) -> Result<usize, Busy> {
        self.text.push_str(text);
        ask_slowly(&self.text).await
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn by_value(self) -> Result<usize, Busy> {
        ask_slowly(&self.text).await
    }

    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn by_arc(self: Arc<Self>) -> Result<usize, Busy> {
        ask_slowly(&self.text).await
    }

    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn connect(text: &str) -> Result<Self, Busy> {
        let length = ask_slowly(text).await?;
        Ok(Self { text: text.to_owned(), limit: u32::try_from(length).unwrap_or(3) })
    }
}

#[async_trait]
trait Fetch {
    async fn fetch(&self, key: String) -> Result<usize, Busy>;

    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn by_default(&self) -> Result<usize, Busy> {
        ask_slowly("text").await
    }
}

#[async_trait]
impl Fetch for Client {
    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn fetch(&self, key: String) -> Result<usize, Busy> {
        ask_slowly(&key).await
    }
}

trait Native {
    fn fetch(&self, key: &str) -> impl Future<Output = Result<usize, Busy>> + Send;
}

impl Native for Client {
    #[retry(stop = attempts(self.limit), wait = none(), on = any_error())]
    async fn fetch(&self, key: &str) -> Result<usize, Busy> {
        let length = ask_slowly(key).await?;
        Ok(length)
    }
}

async fn blocks(text: &str) -> Result<usize, Busy> {
    let first = retry::block!(stop = attempts(3), wait = none(), on = any_error(), async {
        ask_slowly(text).await
    })?;
    let second = retry::block!(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        async || -> Result<usize, Busy> {
            let length = ask_slowly(text).await?;
            Ok(length)
        }
    )?;
    let third = retry::block!(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        || -> Result<usize, Busy> {
            let length = ask(text)?;
            Ok(length)
        }
    )?;
    let fourth = retry::block!(forever, wait = none(), on = any_error(), || ask(text));
    Ok([first, second, third, fourth].iter().sum())
}

async fn policies(text: &str) -> Result<usize, Busy> {
    let policy = retry::policy! {
        stop = attempts(3) | |state| state.attempt() > 2,
        wait = fixed(1us).full_jitter() + none(),
        on = any_error() & !is::<std::fmt::Error>() | matches(Err(Busy)) | (|_: &Busy| true),
        max_hint = clamp(1s),
        idempotent,
    };
    let first = policy.call(|| ask(text))?;
    let second = policy.call_async(async || ask_slowly(text).await).await?;
    Ok([first, second].iter().sum())
}

pub(crate) async fn all() -> usize {
    let owned_text = || "text".to_owned();
    let mut client = Client { text: owned_text(), limit: 3 };
    let results = [
        documented("text"),
        documented_async("text").await,
        plain("text"),
        asynchronous("text").await,
        early("text"),
        early_async("text").await,
        owned(owned_text(), vec![], 0, 0).await,
        cloned(owned_text()).map(|text| text.len()),
        cloned_mut(owned_text()).map(|text| text.len()),
        cloned_async(owned_text(), vec![]).await.map(|(text, list)| text.len().max(list.len())),
        mutable(0, owned_text()).await,
        mutable_sync(0),
        patterns(Pair { left: owned_text(), right: owned_text() }, (0, 0)).await,
        generic::<_, 1>(owned_text()).await.map(|lengths| lengths.iter().sum()),
        opaque_value("text").map(Iterator::count),
        borrowed("text").await.map(|text| text.len()),
        opaque("text").await,
        boxed(owned_text()).await,
        Ok(value("text")),
        option("text").await.ok_or(Busy),
        transient("text").await.map_err(|_| Busy),
        all_keys("text", 3).await,
        matching("text"),
        endless("text").await,
        chosen("text", true),
        client.by_ref().map(str::len),
        client.by_mut("").await,
        Fetch::fetch(&client, owned_text()).await,
        client.by_default().await,
        Native::fetch(&client, "text").await,
        Client::connect("text").await.map(|connected| connected.text.len()),
        Arc::new(Client { text: owned_text(), limit: 3 }).by_arc().await,
        client.by_value().await,
        blocks("text").await,
        policies("text").await,
    ];
    results.iter().filter(|result| result.is_ok()).count()
}
