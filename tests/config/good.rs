//! Configurations that load, and what they do.

use std::cell::Cell;
use std::future::pending;
use std::time::Duration;

use proptest::prelude::*;
use retry::stop::Limits;
use retry::{
    AsPolicy, Interrupted, On, PolicyConfig, State, Stop, Transient, Verdict, Wait, on, retry,
    stop, wait,
};

fn load(config: &str) -> PolicyConfig {
    toml::from_str(config).unwrap()
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// The first delays in milliseconds.
fn delays<const N: usize>(config: &str) -> [u128; N] {
    let config = load(config);
    let mut attempt = 0;
    [(); N].map(|()| {
        attempt += 1;
        config.wait().delay(&State::new(attempt)).total().as_millis()
    })
}

#[test]
fn a_configuration_gives_the_delays_it_says() {
    let backoff = |lines: &str| delays(&format!("attempts = 9\n{lines}"));
    assert_eq!(backoff(r#"fixed = "1s""#), [1000; 4]);
    assert_eq!(backoff(r#"fixed = "0s""#), [0; 4]);
    assert_eq!(backoff(r#"linear = "100ms""#), [100, 200, 300, 400]);
    assert_eq!(backoff("linear = \"100ms\"\nstep = \"1_000us\""), [100, 101, 102, 103]);
    assert_eq!(backoff("linear = \"0s\"\nstep = \"1s\""), [0, 1000, 2000, 3000]);
    assert_eq!(backoff(r#"exponential = "100ms""#), [100, 200, 400, 800]);
    assert_eq!(backoff("exponential = \"100ms\"\nfactor = 3"), [100, 300, 900, 2700]);
    assert_eq!(backoff("exponential = \"100ms\"\nfactor = \"1.5\""), [100, 150, 225, 337]);
    assert_eq!(backoff("exponential = \"100ms\"\ncap = \"0.3s\""), [100, 200, 300, 300]);
    assert_eq!(
        backoff("exponential = \"100ms\"\nfloor = \"150ms\"\ncap = \"5m\"\njitter = \"none\""),
        [150, 200, 400, 800]
    );
}

#[test]
fn jitter_spreads_as_the_strategies_of_the_attribute_do() {
    let ms = Duration::from_millis;
    let plain = || wait::exponential(ms(100)).cap(ms(300));
    let of = |jitter: &str| {
        let config = load(&format!(
            "attempts = 9\nexponential = \"100ms\"\ncap = \"300ms\"\njitter = \"{jitter}\""
        ));
        move |state: &State| config.wait().delay(state)
    };
    for seed in 0..50 {
        let state = || State::new(u32::try_from(seed % 5).unwrap() + 1).seeded(seed);
        assert_eq!(of("full")(&state()), plain().full_jitter().delay(&state()));
        assert_eq!(of("equal")(&state()), plain().equal_jitter().delay(&state()));
        assert_eq!(of("factor:0.5")(&state()), plain().jitter_factor(0.5).delay(&state()));
        assert_eq!(of("250ms")(&state()), plain().jitter(ms(250)).delay(&state()));
    }
}

#[test]
fn either_bound_ends_the_call() {
    let secs = Duration::from_secs;
    let late = State::new(2).with_elapsed(secs(29)).with_delay(secs(1));

    let both = load("attempts = 5\nwithin = \"30s\"\nfixed = \"1s\"");
    assert!(!both.stop().stop(&State::new(4)));
    assert!(both.stop().stop(&State::new(5)));
    assert!(both.stop().stop(&late));
    assert_eq!(both.stop().limits(&late), Limits::none().with_attempts(5).with_remaining(secs(1)));

    let attempts = load("attempts = \"5\"\nfixed = \"1s\"");
    assert!(!attempts.stop().stop(&late));
    assert_eq!(attempts.stop().limits(&late).remaining, None);
    let within = load("within = \"0.5m\"\nfixed = \"1s\"");
    assert!(!within.stop().stop(&State::new(1000)));
    assert!(within.stop().stop(&late));
}

#[test]
fn one_attempt_switches_retrying_off() {
    let config = load("attempts = 1\nfixed = \"1s\"");
    assert!(config.stop().stop(&State::new(1)));
}

#[test]
fn a_limit_is_long_enough_if_jitter_can_bring_the_first_wait_under_it() {
    for config in [
        "within = \"1s\"\nfixed = \"2s\"\njitter = \"full\"",
        "within = \"1s\"\nfixed = \"1s\"\njitter = \"equal\"",
        "within = \"1s\"\nfixed = \"1s\"\njitter = \"factor:0.1\"",
        "within = \"1.1s\"\nfixed = \"1s\"\njitter = \"5s\"",
    ] {
        load(config);
    }
}

#[test]
fn a_null_counts_as_not_given() {
    let json = r#"{"attempts": 5, "within": null, "fixed": "1s", "jitter": null}"#;
    let config = serde_json::from_str::<PolicyConfig>(json).unwrap();
    assert_eq!(config, load("attempts = 5\nfixed = \"1s\""));
}

#[test]
fn a_configuration_lies_inside_the_settings_of_the_program() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Settings {
        url: String,
        upload: PolicyConfig,
        download: Option<PolicyConfig>,
    }
    let toml = "url = \"https://example.org\"\n\n[upload]\nattempts = 5\nwithin = \"2m\"\n\
                exponential = \"250ms\"\nfactor = 1.5\ncap = \"1.5s\"\njitter = \"factor:0.5\"\n";
    let settings: Settings = toml::from_str(toml).unwrap();
    assert_eq!(settings.download, None);
    assert_eq!(toml::to_string(&settings).unwrap(), toml);

    let json = serde_json::to_string(&settings).unwrap();
    assert_eq!(serde_json::from_str::<Settings>(&json).unwrap(), settings);
}

/// What a program has: a client that keeps its configuration.
struct Client {
    retry: PolicyConfig,
    calls: Cell<u32>,
}

impl Client {
    #[retry(policy = self.retry, on = any_error())]
    fn send(&self) -> Result<(), &'static str> {
        self.calls.set(self.calls.get() + 1);
        Err("down")
    }
}

#[test]
fn the_attribute_takes_the_parts_of_a_configuration() {
    for attempts in 1..4 {
        let retry = load(&format!("attempts = {attempts}\nfixed = \"0s\""));
        let client = Client { retry, calls: Cell::new(0) };
        assert_eq!(client.send(), Err("down"));
        assert_eq!(client.calls.get(), attempts);
    }
}

#[test]
fn a_configuration_is_a_policy_for_errors_that_know_themselves() {
    struct Busy(bool);
    impl Transient for Busy {
        fn verdict(&self) -> Verdict {
            if self.0 { Verdict::Retry } else { Verdict::Final }
        }
    }
    fn parts(
        policy: &impl AsPolicy<Stop: Stop<Ends = stop::Bounded>, On: On<Result<(), Busy>>>,
    ) -> [bool; 3] {
        [
            policy.stop().stop(&State::new(5)),
            policy.on().verdict(&Err(Busy(true))) == Verdict::Retry,
            policy.on().verdict(&Err(Busy(false))) == Verdict::Retry,
        ]
    }
    assert_eq!(parts(&load("attempts = 5\nfixed = \"1s\"")), [true, true, false]);
}

#[derive(Debug, PartialEq)]
struct Cut(String);

impl From<Interrupted> for Cut {
    fn from(it: Interrupted) -> Self {
        Self(format!("{:?}", it.by()))
    }
}

#[tokio::test(start_paused = true)]
async fn limits_in_time_cut_where_the_error_allows_it() {
    #[retry(
        policy = config,
        on = any_error(),
        deadline = config.deadline(),
        attempt_timeout = config.attempt_timeout(),
        idempotent,
    )]
    async fn hangs(config: &PolicyConfig) -> Result<(), Cut> {
        pending().await
    }
    let config = load("attempts = 9\nfixed = \"1s\"\ndeadline = \"10s\"\nattempt_timeout = \"4s\"");
    let policy = config.limited(on::any_error()).with_idempotent(true);
    let start = tokio::time::Instant::now();
    let outcome = policy.call_async(pending::<Result<(), Cut>>).await;
    // Cut after 4 s and 9 s, and the wait after that would end at the deadline: that of the second
    // attempt is what the call ends with.
    assert_eq!((outcome, start.elapsed()), (Err(Cut("AttemptTimeout".into())), ms(9000)));

    let start = tokio::time::Instant::now();
    assert!(hangs(&config).await.is_err());
    assert_eq!(start.elapsed(), ms(9000));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_lets_nobody_wait_to_it_though_nothing_is_cut() {
    #[retry(policy = config, on = any_error())]
    async fn fails(config: &PolicyConfig) -> Result<(), &'static str> {
        tokio::time::sleep(ms(1000)).await;
        Err("down")
    }
    let config = load("attempts = 9\nfixed = \"1s\"\ndeadline = \"4s\"\nwithin = \"1h\"");
    let start = tokio::time::Instant::now();
    assert_eq!(fails(&config).await, Err("down"));
    assert_eq!(start.elapsed(), ms(3000));
    assert_eq!(config.policy(on::any_error()).preview().limit(), Some(ms(4000)));
}

#[test]
fn when_retries_are_warnings_goes_along_into_a_policy() {
    let config = load("attempts = 9\nfixed = \"1s\"\nwarn_after = 3\nwarn_every = \"30s\"");
    let policy = config.policy(on::any_error());
    let shown = format!("{:?} {:?}", policy.rules().warn_after, policy.rules().warn_every);
    assert_eq!(shown, "Attempts(3) Elapsed(30s)");
}

#[test]
fn what_may_have_taken_effect_is_not_repeated_by_a_configuration() {
    #[retry(policy = config, on = |_: &&str| Verdict::Ambiguous)]
    fn fails(config: &PolicyConfig, calls: &mut u32) -> Result<(), &'static str> {
        *calls += 1;
        Err("reset while sending")
    }
    let mut calls = 0;
    assert!(fails(&load("attempts = 9\nfixed = \"0s\""), &mut calls).is_err());
    assert_eq!(calls, 1);
}

#[test]
fn limits_in_time_come_from_the_environment_and_from_code() {
    let config = load("attempts = 9\nfixed = \"1s\"\ndeadline = \"10s\"");
    let vars = [("R_DEADLINE", ""), ("R_ATTEMPT_TIMEOUT", "3s")];
    let config = config.with_vars("R_", vars).unwrap();
    assert_eq!((config.deadline(), config.attempt_timeout()), (None, Some(ms(3000))));
    let same = PolicyConfig::builder().attempts(9).fixed(ms(1000)).attempt_timeout(ms(3000));
    assert_eq!(config, same.build().unwrap());
    let written = toml::to_string(&config).unwrap();
    assert_eq!(written, "attempts = 9\nattempt_timeout = \"3s\"\nfixed = \"1s\"\n");
    let both =
        PolicyConfig::builder().attempts(9).fixed(ms(1)).deadline(ms(9)).attempt_timeout(ms(9));
    assert!(both.build().unwrap_err().to_string().contains("comes before"));
}

/// Durations of all sizes, from a nanosecond to a quarter of the longest, in every unit.
fn duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        (1..1_000_000_000_u32).prop_map(|nanos| Duration::new(0, nanos)),
        (2..63_u32, any::<u64>(), 0..1_000_000_000_u32)
            .prop_map(|(bits, secs, nanos)| Duration::new((secs | 1) >> bits, nanos.max(1))),
        (1..100_u64, prop_oneof![Just(1), Just(60), Just(3_600), Just(86_400)])
            .prop_map(|(n, unit)| Duration::from_secs(n * unit)),
    ]
}

fn config() -> ProptestConfig {
    // A failure prints the shrunken case; files of old ones would only collect.
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_written_is_read_back(
        attempts in proptest::option::of(1_u32..),
        base in duration(),
        more in duration(),
        backoff in 0..3,
        // As people write them; JSON's parser may take a longer one for its neighbour.
        factor in proptest::option::of((100..900_u32).prop_map(|n| f64::from(n) / 100.0)),
        capped in any::<bool>(),
        floored in any::<bool>(),
        jitter in 0..5,
    ) {
        let mut config = match attempts {
            Some(attempts) => PolicyConfig::builder().attempts(attempts),
            None => PolicyConfig::builder().within(base.saturating_add(more)),
        };
        config = match (backoff, factor) {
            (0, _) => config.fixed(base),
            (1, None) => config.linear(base),
            (1, Some(_)) => config.linear(base).step(more),
            (_, None) => config.exponential(base),
            (_, Some(factor)) => config.exponential(base).factor(factor),
        };
        if capped {
            config = config.cap(base.saturating_add(more));
        }
        if floored {
            config = config.floor(base);
        }
        config = match jitter {
            0 => config,
            1 => config.full_jitter(),
            2 => config.equal_jitter(),
            3 => config.jitter(more),
            _ => config.jitter_factor(1.0 / factor.unwrap_or(3.0)),
        };
        let config = config.build().unwrap();
        let toml = toml::to_string(&config).unwrap();
        prop_assert_eq!(&toml::from_str::<PolicyConfig>(&toml).unwrap(), &config);
        let json = serde_json::to_string(&config).unwrap();
        prop_assert_eq!(&serde_json::from_str::<PolicyConfig>(&json).unwrap(), &config);
    }
}
