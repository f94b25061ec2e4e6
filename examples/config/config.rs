//! The same call, less and more patient, as two files say it:
//!
//! ```sh
//! cargo run --example config
//! ORDERS_RETRY_ATTEMPTS=2 cargo run --example config
//! ```
//!
//! When to give up and how long to wait is read from `staging.toml` and `production.toml` beside
//! this file, and can be overridden by environment variables; what is worth another attempt stays
//! in the code. Try a value that is none, or a misspelled variable.

use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use retry::{PolicyConfig, on, retry};
use serde::Deserialize;

/// What a file holds: this program's own settings, and a table for the retries.
#[derive(Deserialize)]
struct Settings {
    service: String,
    retry: PolicyConfig,
}

/// The fake service fails as often as this before it recovers.
const OUTAGE: u32 = 3;

#[derive(Debug)]
struct Unavailable;

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the service is unavailable")
    }
}

impl Error for Unavailable {}

struct Orders {
    retry: PolicyConfig,
    attempts: Cell<u32>,
}

impl Orders {
    #[retry(policy = self.retry, on = any_error())]
    fn fetch(&self) -> Result<&'static str, Unavailable> {
        self.attempts.set(self.attempts.get() + 1);
        if self.attempts.get() <= OUTAGE { Err(Unavailable) } else { Ok("three boxes of tea") }
    }
}

fn load(name: &str) -> Result<Settings, Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name).with_extension("toml");
    let Settings { service, retry } = toml::from_str(&fs::read_to_string(path)?)?;
    Ok(Settings { service, retry: retry.with_env("ORDERS_RETRY_")? })
}

fn try_out(name: &str) -> Result<(), Box<dyn Error>> {
    let Settings { service, retry } = load(name)?;
    println!("{name}: {service}");
    print!("{}", retry.policy(on::any_error()).preview());
    let orders = Orders { retry, attempts: Cell::new(0) };
    match orders.fetch() {
        Ok(order) => println!("got {order} on attempt {}", orders.attempts.get()),
        Err(error) => println!("gave up on attempt {}: {error}", orders.attempts.get()),
    }
    Ok(())
}

fn main() -> ExitCode {
    for name in ["staging", "production"] {
        // Displayed, and not in the debug form that a `Result` from `main` would be printed in.
        if let Err(error) = try_out(name) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
