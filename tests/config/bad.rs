//! Configurations that are none, each with everything that is said about it.

use retry::PolicyConfig;

/// A configuration in TOML, its lines separated by `;` here, and its faults.
const BAD: &[(&str, &[&str])] = &[
    (
        "",
        &[
            r#"nothing says when to give up: write `attempts = 5` or `within = "30s"`; a link without an end has a bound here too, which `#[retry(forever, wait = config.wait(), …)]` leaves aside"#,
            r#"nothing says how long to wait before the next attempt: write `exponential = "100ms"`, `fixed = "1s"` or `linear = "100ms"`"#,
        ],
    ),
    (
        "attempts = 5",
        &[
            r#"nothing says how long to wait before the next attempt: write `exponential = "100ms"`, `fixed = "1s"` or `linear = "100ms"`"#,
        ],
    ),
    (
        r#"fixed = "1s""#,
        &[
            r#"nothing says when to give up: write `attempts = 5` or `within = "30s"`; a link without an end has a bound here too, which `#[retry(forever, wait = config.wait(), …)]` leaves aside"#,
        ],
    ),
    (
        r#"attempts = 0; fixed = "1s""#,
        &[
            "`attempts = 0` would never call the function; `attempts` counts all calls, the first included",
        ],
    ),
    (
        r#"attempts = -1; fixed = "1s""#,
        &["`attempts = -1` is negative, which a number of calls cannot be; write `attempts = 5`"],
    ),
    (
        r#"attempts = 5_000_000_000; fixed = "1s""#,
        &["`attempts = 5000000000` is more than can be counted; the most is 4294967295"],
    ),
    (
        r#"attempts = 2.5; fixed = "1s""#,
        &["`attempts = 2.5` is not a whole number of calls; write `attempts = 5`"],
    ),
    (
        r#"attempts = inf; fixed = "1s""#,
        &["`attempts = inf` is more than can be counted; the most is 4294967295"],
    ),
    (
        r#"attempts = "five"; fixed = "1s""#,
        &[r#"`attempts = "five"` is not a number of calls; write `attempts = 5`"#],
    ),
    (
        r#"attempts = "30s"; fixed = "1s""#,
        &[
            r#"`attempts = "30s"` is a time, and `attempts` takes a number of calls; a time limit is written `within = "30s"`"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; deadline = "0s""#,
        &[r#"`deadline = "0s"` leaves no time for an attempt; write `deadline = "20s"`"#],
    ),
    (
        r#"attempts = 5; fixed = "1s"; attempt_timeout = "0ms""#,
        &[
            r#"`attempt_timeout = "0ms"` leaves no time for an attempt; write `attempt_timeout = "2s"`"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; deadline = "5s"; attempt_timeout = "5s""#,
        &[
            r#"`deadline = "5s"` comes before `attempt_timeout = "5s"` has cut an attempt; write a shorter one, or remove it"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "5s"; deadline = "5s""#,
        &[
            r#"`deadline = "5s"` leaves no room for a retry: the first wait is at least 5s; write more than that, or a shorter wait"#,
        ],
    ),
    (
        r#"deadline = "5s"; fixed = "1s""#,
        &[
            r#"nothing says when to give up: write `attempts = 5` or `within = "30s"`; a link without an end has a bound here too, which `#[retry(forever, wait = config.wait(), …)]` leaves aside"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; deadline = 5"#,
        &[r#"`deadline = 5` has no unit: write `deadline = "5s"`, `deadline = "5ms"`, …"#],
    ),
    (
        r#"attempts = "unlimited"; fixed = "1s""#,
        &[
            "`attempts = \"unlimited\"` is not a number of calls; write `attempts = 5`; a link without an end has a bound here too, which `#[retry(forever, wait = config.wait(), …)]` leaves aside",
        ],
    ),
    (
        r#"forever = true; fixed = "1s""#,
        &[
            "unknown key `forever`; write `attempts = 5`; a link without an end has a bound here too, which `#[retry(forever, wait = config.wait(), …)]` leaves aside",
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; max_hint = 30"#,
        &[r#"`max_hint = 30` has no unit: write `max_hint = "30s"`, `max_hint = "30ms"`, …"#],
    ),
    (
        r#"attempts = 5; fixed = "1s"; max_hint = "clamp:30""#,
        &[
            r#"`max_hint = "clamp:30"` needs a duration behind the colon; write `max_hint = "clamp:30s"`"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; warn_after = 2.5"#,
        &[
            r#"`warn_after = 2.5` is not a whole number of failures; write `warn_after = 3`, or a time: `warn_after = "30s"`"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; warn_after = "3 times""#,
        &[
            r#"unknown unit ` times` in `warn_after = "3 times"`; the units are `ns`, `us`, `ms`, `s`, `m`, `h`, `d`"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; warn_every = 0"#,
        &["`warn_every = 0` makes every retry a warning, as it is without; remove it"],
    ),
    (
        r#"attempts = 5; fixed = "1s"; warn_every = "0s""#,
        &[r#"`warn_every = "0s"` makes every retry a warning, as it is without; remove it"#],
    ),
    (
        r#"attempts = true; fixed = "1s""#,
        &["`attempts = true` is not a number of calls; write `attempts = 5`"],
    ),
    (
        r#"attempts = [5]; fixed = "1s""#,
        &["`attempts = […]` is not a number of calls; write `attempts = 5`"],
    ),
    (
        r#"within = 30; fixed = "1s""#,
        &[r#"`within = 30` has no unit: write `within = "30s"`, `within = "30ms"`, …"#],
    ),
    (
        r#"within = "30"; fixed = "1s""#,
        &[r#"`within = "30"` has no unit: write `within = "30s"`, `within = "30ms"`, …"#],
    ),
    (
        r#"within = 1.5; fixed = "1s""#,
        &[r#"`within = 1.5` has no unit: write `within = "1.5s"`, `within = "1.5ms"`, …"#],
    ),
    (
        r#"within = "-30s"; fixed = "1s""#,
        &[r#"`within = "-30s"` is negative, which a duration cannot be; write `within = "30s"`"#],
    ),
    (
        r#"within = "0x10s"; fixed = "1s""#,
        &[
            r#"a duration is written in decimal, without the `0x` of `within = "0x10s"`; write `within = "30s"`"#,
        ],
    ),
    (
        r#"within = "5sec"; fixed = "1s""#,
        &[
            r#"unknown unit `sec` in `within = "5sec"`; write `within = "5s"`; the units are `ns`, `us`, `ms`, `s`, `m`, `h`, `d`"#,
        ],
    ),
    (
        r#"within = "5parsecs"; fixed = "1s""#,
        &[
            r#"unknown unit `parsecs` in `within = "5parsecs"`; the units are `ns`, `us`, `ms`, `s`, `m`, `h`, `d`"#,
        ],
    ),
    (
        r#"within = "999999999999999999d"; fixed = "1s""#,
        &[
            r#"`within = "999999999999999999d"` is longer than a duration can be; write `within = "30s"`"#,
        ],
    ),
    (
        r#"within = "soon"; fixed = "1s""#,
        &[r#"`within = "soon"` is not a duration; write `within = "30s"`"#],
    ),
    (
        r#"within = ""; fixed = "1s""#,
        &[r#"`within = ""` is empty; write `within = "30s"`, or remove it"#],
    ),
    (
        r#"within = "0s"; fixed = "1s""#,
        &[r#"`within = "0s"` never retries; write `attempts = 1` if that is meant"#],
    ),
    (
        r#"within = "1m30s"; fixed = "1s""#,
        &[r#"`within = "1m30s"` has more than one unit; write `within = "90s"`"#],
    ),
    (
        r#"within = "30 s"; fixed = "1s""#,
        &[r#"`within = "30 s"` is not written as a duration; write `within = "30s"`"#],
    ),
    (
        r#"within = false; fixed = "1s""#,
        &[r#"`within = false` is not a duration; write `within = "30s"`"#],
    ),
    (
        r#"attempts = 5; fixed = "0.5ns""#,
        &[r#"`fixed = "0.5ns"` is finer than a nanosecond; write `fixed = "1s"`"#],
    ),
    (
        r#"attempts = 5; fixed = ".5s""#,
        &[r#"`fixed = ".5s"` is not a duration; write `fixed = "0.5s"`"#],
    ),
    (
        "attempts = 5; fixed = { secs = 1 }",
        &[r#"`fixed = {…}` is not a duration; write `fixed = "1s"`"#],
    ),
    (
        r#"attempts = 5; linear = "0s""#,
        &[r#"`linear = "0s"` without a `step` never waits; write `fixed = "0s"` if that is meant"#],
    ),
    (
        r#"attempts = 5; linear = "0s"; step = "0ms""#,
        &[
            r#"`linear = "0s"` with `step = "0ms"` never waits; write `fixed = "0s"` if that is meant"#,
        ],
    ),
    (
        r#"attempts = 5; linear = "0s"; step = "1""#,
        &[r#"`step = "1"` has no unit: write `step = "1s"`, `step = "1ms"`, …"#],
    ),
    (
        r#"attempts = 5; exponential = "0s""#,
        &[r#"`exponential = "0s"` never waits; write `fixed = "0s"` if that is meant"#],
    ),
    (
        r#"attempts = 5; exponential = "100ms"; factor = 0.5"#,
        &["`factor = 0.5` would make the waits shorter and shorter; it must be at least 1"],
    ),
    (
        r#"attempts = 5; exponential = "100ms"; factor = inf"#,
        &["`factor = inf` is not a finite number; write `factor = 2.0`"],
    ),
    (
        r#"attempts = 5; exponential = "100ms"; factor = nan"#,
        &["`factor = nan` is not a finite number; write `factor = 2.0`"],
    ),
    (
        r#"attempts = 5; exponential = "100ms"; factor = "two""#,
        &[r#"`factor = "two"` is not a number; write `factor = 2.0`"#],
    ),
    (
        r#"attempts = 5; fixed = "1s"; linear = "1s""#,
        &[r#"`fixed = "1s"` and `linear = "1s"` exclude each other; keep one"#],
    ),
    (
        r#"attempts = 5; fixed = "1s"; linear = "1s"; exponential = "100ms""#,
        &[
            r#"`fixed = "1s"`, `linear = "1s"` and `exponential = "100ms"` exclude each other; keep one"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; step = "1s""#,
        &[r#"`step = "1s"` belongs to `linear`; remove it beside `fixed = "1s"`"#],
    ),
    (
        r#"attempts = 5; step = "1s""#,
        &[r#"`step = "1s"` belongs to `linear`, which is missing: write `linear = "100ms"`"#],
    ),
    (
        r#"attempts = 5; linear = "1s"; factor = 3"#,
        &[r#"`factor = 3` belongs to `exponential`; remove it beside `linear = "1s"`"#],
    ),
    (
        "attempts = 5; factor = 3",
        &[
            r#"`factor = 3` belongs to `exponential`, which is missing: write `exponential = "100ms"`"#,
        ],
    ),
    (
        r#"attempts = 5; exponential = "1s"; cap = "500ms""#,
        &[
            r#"`cap = "500ms"` is below the first wait of `exponential = "1s"`; write `cap = "1s"` or more"#,
        ],
    ),
    (
        r#"attempts = 5; exponential = "1s"; cap = "2s"; floor = "3s""#,
        &[r#"`floor = "3s"` is above `cap = "2s"`; write `floor = "2s"` or less"#],
    ),
    (
        r#"within = "1s"; fixed = "1s""#,
        &[
            r#"`within = "1s"` leaves no room for a retry: the first wait is at least 1s; write more than that, or a shorter wait"#,
        ],
    ),
    (
        r#"attempts = 9; within = "500ms"; fixed = "2s"; jitter = "equal""#,
        &[
            r#"`within = "500ms"` leaves no room for a retry: the first wait is at least 1s; write more than that, or a shorter wait"#,
        ],
    ),
    (
        r#"attempts = 9; within = "500ms"; fixed = "2s"; jitter = "factor:0.5""#,
        &[
            r#"`within = "500ms"` leaves no room for a retry: the first wait is at least 1s; write more than that, or a shorter wait"#,
        ],
    ),
    (
        r#"attempts = 9; within = "5s"; fixed = "1s"; floor = "10s"; jitter = "full""#,
        &[
            r#"`within = "5s"` leaves no room for a retry: the first wait is at least 10s; write more than that, or a shorter wait"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; jitter = "ful""#,
        &[r#"`jitter = "ful"` is not a jitter; did you mean `jitter = "full"`?"#],
    ),
    (
        r#"attempts = 5; fixed = "1s"; jitter = "decorrelated""#,
        &[
            r#"`jitter = "decorrelated"` is not a jitter; it is one of `none`, `full`, `equal` and `factor:0.5`, or a duration such as `250ms`"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; jitter = 0.5"#,
        &[
            r#"`jitter = 0.5` has no unit: write `jitter = "0.5s"`, or for a part of the delay `jitter = "factor:0.5"`"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; jitter = 50"#,
        &[r#"`jitter = 50` has no unit: write `jitter = "50s"`, `jitter = "50ms"`, …"#],
    ),
    (
        r#"attempts = 5; fixed = "1s"; jitter = true"#,
        &[r#"`jitter = true` does not name a jitter; write `jitter = "full"`"#],
    ),
    (
        r#"attempts = 5; fixed = "1s"; jitter = "factor:1.5""#,
        &[r#"`jitter = "factor:1.5"` is outside 0..=1; with 0.2 a wait comes up to 20 % early"#],
    ),
    (
        r#"attempts = 5; fixed = "1s"; jitter = "factor:half""#,
        &[
            r#"`jitter = "factor:half"` needs a number from 0 to 1 behind the colon; write `jitter = "factor:0.5"`"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; jitter = "50msec""#,
        &[
            r#"unknown unit `msec` in `jitter = "50msec"`; write `jitter = "50ms"`; the units are `ns`, `us`, `ms`, `s`, `m`, `h`, `d`"#,
        ],
    ),
    (
        r#"attempts = 5; fixed = "1s"; jitter = []"#,
        &[
            "`jitter = […]` is not a jitter; it is one of `none`, `full`, `equal` and `factor:0.5`, or a duration such as `250ms`",
        ],
    ),
    (r#"atempts = 5; fixed = "1s""#, &["unknown key `atempts`; did you mean `attempts`?"]),
    (
        r#"max_attempts = 5; fixed = "1s""#,
        &["unknown key `max_attempts`; write `attempts = 5`, which counts the first call too"],
    ),
    (
        r#"attempts = 5; timeout = "30s"; fixed = "1s""#,
        &[r#"unknown key `timeout`; write `within = "30s"`"#],
    ),
    (
        r#"attempts = 5; initial-interval = "30s""#,
        &[r#"unknown key `initial-interval`; write `exponential = "100ms"`"#],
    ),
    (
        r#"attempts = 5; fixed = "1s"; colour = "red""#,
        &[
            "unknown key `colour`; the keys are `attempts`, `within`, `deadline`, `attempt_timeout`, `max_hint`, `warn_after`, `warn_every`, `fixed`, `linear`, `step`, `exponential`, `factor`, `cap`, `floor`, `jitter`",
        ],
    ),
    (r#"attempts = 5; fixed = "1s"; Cap = "2s""#, &["unknown key `Cap`; did you mean `cap`?"]),
];

#[test]
fn a_bad_configuration_is_told_what_is_wrong_and_what_to_write_instead() {
    assert!(BAD.len() >= 40);
    for (config, faults) in BAD {
        let error = toml::from_str::<PolicyConfig>(&config.replace("; ", "\n")).unwrap_err();
        assert_eq!(error.message(), faults.join("\n"), "{config}");
    }
}

#[test]
fn several_faults_are_told_together() {
    let config = r#"
        within = "0s"
        exponential = "100"
        factor = 0.5
        cap = "1s"
        floor = "2s"
        jitter = "factor:2"
        colour = "red"
        step = "1s"
    "#;
    let error = toml::from_str::<PolicyConfig>(config).unwrap_err();
    let faults: Vec<_> = error.message().lines().collect();
    assert_eq!(
        faults,
        [
            "unknown key `colour`; the keys are `attempts`, `within`, `deadline`, `attempt_timeout`, `max_hint`, `warn_after`, `warn_every`, `fixed`, `linear`, `step`, \
             `exponential`, `factor`, `cap`, `floor`, `jitter`",
            r#"`within = "0s"` never retries; write `attempts = 1` if that is meant"#,
            r#"`exponential = "100"` has no unit: write `exponential = "100s"`, `exponential = "100ms"`, …"#,
            "`factor = 0.5` would make the waits shorter and shorter; it must be at least 1",
            r#"`jitter = "factor:2"` is outside 0..=1; with 0.2 a wait comes up to 20 % early"#,
            r#"`step = "1s"` belongs to `linear`; remove it beside `exponential = "100"`"#,
            r#"`floor = "2s"` is above `cap = "1s"`; write `floor = "1s"` or less"#,
        ],
    );
}

#[test]
fn a_fault_in_one_key_is_not_told_again_through_another() {
    // Whether the first wait fits depends on the jitter, which is not known.
    let config = "within = \"1s\"\nfixed = \"1s\"\njitter = \"ful\"";
    let error = toml::from_str::<PolicyConfig>(config).unwrap_err();
    assert_eq!(error.message().lines().count(), 1, "{error}");
}

#[test]
fn toml_says_where_and_json_too() {
    #[derive(Debug, serde::Deserialize)]
    struct Settings {
        #[allow(dead_code)] // never gets that far
        upload: PolicyConfig,
    }
    let fault = "`attempts = 0` would never call the function; `attempts` counts all calls, the \
                 first included";

    let config = "name = \"x\"\n[upload]\nattempts = 0\nfixed = \"1s\"\n";
    let error = toml::from_str::<Settings>(config).unwrap_err();
    assert_eq!(error.message(), fault);
    assert!(error.to_string().contains("line 2, column 1"), "{error}");

    let config = r#"{"upload": {"attempts": 0, "fixed": "1s"}}"#;
    let error = serde_json::from_str::<Settings>(config).unwrap_err();
    assert_eq!(error.to_string(), format!("{fault} at line 1 column 41"));
}

#[test]
fn a_key_twice_in_json_and_a_list_for_a_table_are_refused() {
    let twice = r#"{"attempts": 3, "fixed": "1s", "attempts": 5}"#;
    let error = serde_json::from_str::<PolicyConfig>(twice).unwrap_err().to_string();
    assert!(error.starts_with("`attempts` is given twice; remove one at line"), "{error}");

    let error = serde_json::from_str::<PolicyConfig>("[5]").unwrap_err().to_string();
    let expected =
        "expected a table of retry settings, such as `attempts = 5` and `fixed = \"1s\"`";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn the_builder_follows_the_same_rules_and_names_its_methods() {
    use std::time::Duration;
    let secs = Duration::from_secs;
    let build = PolicyConfig::builder();
    for (builder, faults) in [
        (
            build.clone(),
            &[
                "nothing says when to give up: write `attempts(5)` or `within(30s)`; a link without an end has a bound here too, which `#[retry(forever, wait = config.wait(), …)]` leaves aside",
                "nothing says how long to wait before the next attempt: write \
                 `exponential(100ms)`, `fixed(1s)` or `linear(100ms)`",
            ][..],
        ),
        (
            build.clone().attempts(3).fixed(secs(1)).jitter_factor(-0.5),
            &["`jitter_factor(-0.5)` is outside 0..=1; with 0.2 a wait comes up to 20 % early"],
        ),
        (
            build.clone().attempts(3).exponential(secs(1)).factor(f64::NAN),
            &["`factor(nan)` is not a finite number; write `factor(2.0)`"],
        ),
        (
            build.clone().within(secs(1)).fixed(secs(1)).full_jitter().equal_jitter(),
            &["`jitter` is given twice; remove one"],
        ),
    ] {
        let error = builder.build().unwrap_err();
        assert_eq!(error.faults().collect::<Vec<_>>(), faults);
    }
}
