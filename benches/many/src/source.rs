//! The crates that are measured, as text.

use std::fmt::Write as _;
use std::path::Path;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    Plain,
    ByHand,
    Instrument,
    Retry,
}

impl Flavour {
    pub const ALL: [Self; 4] = [Self::Plain, Self::ByHand, Self::Instrument, Self::Retry];

    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::ByHand => "by hand",
            Self::Instrument => "#[instrument(err)]",
            Self::Retry => "#[retry]",
        }
    }

    pub fn package(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::ByHand => "by_hand",
            Self::Instrument => "instrumented",
            Self::Retry => "retried",
        }
    }

    fn attribute(self) -> &'static str {
        match self {
            Self::Plain | Self::ByHand => "",
            Self::Instrument => "#[tracing::instrument(err)]",
            Self::Retry => {
                "#[retry::retry(\
                 stop = attempts(5), \
                 wait = exponential(100ms).cap(10s).full_jitter(), \
                 on = Failure::is_transient)]"
            }
        }
    }
}

pub fn workspace() -> String {
    let members = Flavour::ALL.map(|flavour| format!("{:?}", flavour.package())).join(", ");
    format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n")
}

/// All depend on the same, so that only the functions differ.
pub fn manifest(flavour: Flavour, checkout: &Path) -> String {
    format!(
        "[package]\n\
         name = {:?}\n\
         version = \"0.0.0\"\n\
         edition = \"2024\"\n\
         [dependencies]\n\
         retry = {{ path = \"{}\" }}\n\
         tokio = {{ version = \"1\", features = [\"time\"] }}\n\
         tracing = {{ version = \"0.1\", default-features = false, features = [\"attributes\", \"std\"] }}\n",
        flavour.package(),
        checkout.display(),
    )
}

/// A sync function for every even number, an async one for every odd. The number in each body keeps them apart: the linker and the compiler fold
/// functions that are the same.
pub fn functions(flavour: Flavour, numbers: impl Iterator<Item = u32>) -> String {
    let mut text = COMMON.to_owned();
    let mut sync = String::new();
    let mut asynchronous = String::new();
    for n in numbers {
        let (call, sleep) = if n % 2 == 0 {
            (format!("work(x, {n})"), "std::thread::sleep(delay(attempt))")
        } else {
            (format!("Work(x, {n}).await"), "tokio::time::sleep(delay(attempt)).await")
        };
        let body = match flavour {
            Flavour::ByHand => by_hand(&call, sleep),
            _ => call,
        };
        let keyword = if n % 2 == 0 { "" } else { "async " };
        let attribute = flavour.attribute();
        let _ = write!(
            text,
            "\n{attribute}\npub {keyword}fn f{n}(x: u64) -> Result<u64, Failure> {{\n    {body}\n}}\n"
        );
        let _ = if n % 2 == 0 {
            write!(sync, "f{n}, ")
        } else {
            write!(asynchronous, "|x| Box::pin(f{n}(x)), ")
        };
    }
    let _ = write!(
        text,
        "\npub static SYNC: &[fn(u64) -> Result<u64, Failure>] = &[{sync}];\n\
         pub static ASYNC: &[fn(u64) -> Boxed] = &[{asynchronous}];\n"
    );
    text
}

fn by_hand(call: &str, sleep: &str) -> String {
    format!(
        "let mut attempt = 1;
    loop {{
        match {call} {{
            Err(failure) if attempt < 5 && failure.is_transient() => {{
                {sleep};
                attempt += 1;
            }}
            outcome => return outcome,
        }}
    }}"
    )
}

/// What every function needs. The work is done elsewhere, and the functions are in a table, or
/// nothing would be made of a future that nobody polls.
const COMMON: &str = r#"#![allow(dead_code)]

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

pub type Boxed = Pin<Box<dyn Future<Output = Result<u64, Failure>> + Send>>;

#[derive(Debug)]
pub enum Failure {
    Busy,
    Gone,
}

impl Failure {
    #[inline(never)]
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Busy)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("busy or gone")
    }
}

impl std::error::Error for Failure {}

#[inline(never)]
pub fn work(x: u64, n: u64) -> Result<u64, Failure> {
    match std::hint::black_box(x % 3) {
        0 => Err(Failure::Busy),
        1 => Err(Failure::Gone),
        _ => Ok(x + n),
    }
}

pub struct Work(u64, u64);

impl Future for Work {
    type Output = Result<u64, Failure>;

    #[inline(never)]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(work(self.0, self.1))
    }
}

#[inline(never)]
pub fn delay(attempt: u32) -> Duration {
    Duration::from_millis(100) * 2_u32.saturating_pow(attempt)
}
"#;
