//! What a configuration says of hints and of warnings, wherever it is taken for a policy.

use std::time::Duration;

use retry::{MaxHint, PolicyConfig, StopReason, Verdict, on, record_sync, retry, retry_with};
use tracing::Level;

use crate::support::events::events;

fn load(config: &str) -> PolicyConfig {
    toml::from_str(&format!("attempts = 4\nfixed = \"1s\"\n{config}")).unwrap()
}

#[retry(policy = config, on = |hint: &u64| Verdict::Retry.retry_after(Duration::from_secs(*hint)))]
fn asked(config: &PolicyConfig, hint: u64) -> Result<(), u64> {
    Err(hint)
}

/// Why a call ends that is asked to wait so many seconds, and its waits.
fn ends(config: &str, hint: u64) -> (StopReason, Vec<u64>) {
    let config = load(config);
    let by_attribute = || assert_eq!(asked(&config, hint), Err(hint));
    let judge = |hint: &u64| Verdict::Retry.retry_after(Duration::from_secs(*hint));
    let by_policy =
        || assert_eq!(config.policy(on::error(judge)).call(|| Err::<(), _>(hint)), Err(hint));
    let ended = |call: &dyn Fn()| {
        let ((), reports) = record_sync(|| retry_with().virtual_time().sync_scope(call));
        (reports[0].reason(), reports[0].delays().map(|delay| delay.as_secs()).collect())
    };
    let ends = ended(&by_attribute);
    assert_eq!(ended(&by_policy), ends);
    ends
}

#[test]
fn the_longest_hint_ends_a_call_or_is_waited_for_instead() {
    assert_eq!(ends("", 50), (StopReason::Attempts, vec![50; 3]));
    assert_eq!(ends("", 70), (StopReason::HintTooLong, vec![]));
    assert_eq!(ends("max_hint = \"90s\"", 70), (StopReason::Attempts, vec![70; 3]));
    assert_eq!(ends("max_hint = \"30s\"", 70), (StopReason::HintTooLong, vec![]));
    assert_eq!(ends("max_hint = \"clamp:30s\"", 70), (StopReason::Attempts, vec![30; 3]));
}

#[test]
fn retries_are_warnings_from_then_on() {
    let levels = |config: &str| {
        let config = load(config);
        let events = events(|| retry_with().virtual_time().sync_scope(|| asked(&config, 0)));
        events.iter().map(|event| event.level).collect::<Vec<_>>()
    };
    let (warn, debug) = (Level::WARN, Level::DEBUG);
    assert_eq!(levels(""), [warn, warn, warn, warn]);
    assert_eq!(levels("warn_after = 3"), [debug, debug, warn, warn]);
    assert_eq!(levels("warn_after = \"1500ms\""), [debug, debug, warn, warn]);
    assert_eq!(levels("warn_every = 2"), [warn, debug, warn, warn]);
    assert_eq!(levels("warn_every = \"1h\""), [warn, debug, debug, warn]);
}

#[test]
fn they_are_written_as_they_are_read_and_built() {
    for config in [
        "max_hint = \"30s\"\nwarn_after = 3\nwarn_every = \"1m\"\n",
        "max_hint = \"clamp:90s\"\nwarn_after = \"5s\"\nwarn_every = 60\n",
    ] {
        let written = toml::to_string(&load(config)).unwrap();
        assert_eq!(written, format!("attempts = 4\n{config}fixed = \"1s\"\n"));
    }
    let second = Duration::from_secs(1);
    let built = PolicyConfig::builder()
        .attempts(4)
        .fixed(second)
        .max_hint(MaxHint::Clamp(30 * second))
        .warn_after(3)
        .warn_every(60 * second);
    let config = load("max_hint = \"clamp:30s\"\nwarn_after = 3\nwarn_every = \"1m\"");
    assert_eq!(built.build().unwrap(), config);
    let vars = [("R_MAX_HINT", "clamp:30s"), ("R_WARN_AFTER", "3"), ("R_WARN_EVERY", "1m")];
    assert_eq!(load("").with_vars("R_", vars).unwrap(), config);
}

#[test]
fn a_link_without_an_end_takes_its_waits_only() {
    #[retry(forever, wait = config.wait(), on = any_error())]
    fn link(config: &PolicyConfig, down: &mut u32) -> Result<(), ()> {
        *down = down.saturating_sub(1);
        if *down > 0 { Err(()) } else { Ok(()) }
    }
    let config = load("");
    let (outcome, reports) =
        record_sync(|| retry_with().virtual_time().sync_scope(|| link(&config, &mut 9)));
    assert!(outcome.is_ok() && reports[0].delays().eq([Duration::from_secs(1); 8]));
}
