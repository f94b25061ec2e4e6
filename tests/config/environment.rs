//! Overrides from environment variables, given as pairs: the environment is the process's, and
//! tests share it.

use retry::PolicyConfig;
use retry::config::ConfigError;

fn load(config: &str) -> PolicyConfig {
    toml::from_str(&config.replace("; ", "\n")).unwrap()
}

fn with(config: &str, vars: &[(&str, &str)]) -> Result<PolicyConfig, ConfigError> {
    load(config).with_vars("APP_RETRY_", vars.iter().copied())
}

#[test]
fn a_variable_overrides_its_key_and_leaves_the_others() {
    for (config, vars, expected) in [
        (
            r#"attempts = 5; fixed = "1s""#,
            &[("APP_RETRY_ATTEMPTS", "3")][..],
            r#"attempts = 3; fixed = "1s""#,
        ),
        (
            r#"attempts = 5; fixed = "1s""#,
            &[("APP_RETRY_EXPONENTIAL", "50ms"), ("APP_RETRY_JITTER", "full")],
            r#"attempts = 5; exponential = "50ms"; jitter = "full""#,
        ),
        // What belonged to the old backoff goes with it.
        (
            r#"attempts = 5; linear = "1s"; step = "2s"; cap = "9s""#,
            &[("APP_RETRY_FIXED", "1s")],
            r#"attempts = 5; fixed = "1s"; cap = "9s""#,
        ),
        // The same backoff keeps what belongs to it.
        (
            r#"attempts = 5; exponential = "1s"; factor = 3"#,
            &[("APP_RETRY_EXPONENTIAL", "2s")],
            r#"attempts = 5; exponential = "2s"; factor = 3"#,
        ),
        (
            r#"attempts = 5; exponential = "1s"; factor = 3"#,
            &[("APP_RETRY_LINEAR", "2s"), ("APP_RETRY_STEP", "3s")],
            r#"attempts = 5; linear = "2s"; step = "3s""#,
        ),
        // Empty removes, alone or to make room.
        (
            r#"attempts = 5; within = "30s"; fixed = "1s"; cap = "2s""#,
            &[("APP_RETRY_ATTEMPTS", ""), ("APP_RETRY_CAP", ""), ("APP_RETRY_STEP", "")],
            r#"within = "30s"; fixed = "1s""#,
        ),
        (
            r#"attempts = 5; fixed = "1s"; jitter = "full""#,
            &[("APP_RETRY_JITTER", "none"), ("APP_RETRY_FIXED", ""), ("APP_RETRY_LINEAR", "1s")],
            r#"attempts = 5; linear = "1s""#,
        ),
        // Of other programs, or other parts of this one.
        (
            r#"attempts = 5; fixed = "1s""#,
            &[("APP_NAME", "x"), ("MY_APP_RETRY_CAP", "x"), ("PATH", "/bin")],
            r#"attempts = 5; fixed = "1s""#,
        ),
    ] {
        assert_eq!(with(config, vars), Ok(load(expected)), "{vars:?}");
    }
}

#[test]
fn a_bad_override_is_told_by_variable_and_value() {
    let config = r#"attempts = 5; exponential = "1s"; cap = "10s""#;
    for (vars, faults) in [
        (
            &[("APP_RETRY_ATTEMPTS", "0")][..],
            &[
                "`APP_RETRY_ATTEMPTS=0` would never call the function; `attempts` counts all calls, \
               the first included",
            ][..],
        ),
        (
            &[("APP_RETRY_WITHIN", "30")],
            &["`APP_RETRY_WITHIN=30` has no unit: write `APP_RETRY_WITHIN=30s`, \
               `APP_RETRY_WITHIN=30ms`, …"],
        ),
        (
            &[("APP_RETRY_ATEMPTS", "3")],
            &["unknown variable `APP_RETRY_ATEMPTS`; did you mean `APP_RETRY_ATTEMPTS`?"],
        ),
        (
            &[("APP_RETRY_attempts", "3")],
            &["unknown variable `APP_RETRY_attempts`; did you mean `APP_RETRY_ATTEMPTS`?"],
        ),
        (
            &[("APP_RETRY_MAX_RETRIES", "3")],
            &["unknown variable `APP_RETRY_MAX_RETRIES`; write `APP_RETRY_ATTEMPTS=5`, which \
               counts the first call too"],
        ),
        (
            &[("APP_RETRY_", "3")],
            &["unknown variable `APP_RETRY_`; the variables are `APP_RETRY_ATTEMPTS`, \
               `APP_RETRY_WITHIN`, `APP_RETRY_DEADLINE`, `APP_RETRY_ATTEMPT_TIMEOUT`, `APP_RETRY_MAX_HINT`, `APP_RETRY_WARN_AFTER`, `APP_RETRY_WARN_EVERY`, `APP_RETRY_FIXED`, `APP_RETRY_LINEAR`, `APP_RETRY_STEP`, \
               `APP_RETRY_EXPONENTIAL`, `APP_RETRY_FACTOR`, `APP_RETRY_CAP`, `APP_RETRY_FLOOR`, \
               `APP_RETRY_JITTER`"],
        ),
        (
            &[("APP_RETRY_JITTER", "true")],
            &["`APP_RETRY_JITTER=true` does not name a jitter; write `APP_RETRY_JITTER=full`"],
        ),
        // What the file says and the variable does not go together.
        (
            &[("APP_RETRY_CAP", "500ms")],
            &["`APP_RETRY_CAP=500ms` is below the first wait of `exponential = \"1s\"`; write \
               `APP_RETRY_CAP=1s` or more"],
        ),
        (
            &[("APP_RETRY_STEP", "1s")],
            &["`APP_RETRY_STEP=1s` belongs to `APP_RETRY_LINEAR`; remove it beside \
               `exponential = \"1s\"`"],
        ),
        (
            &[("APP_RETRY_FIXED", "1s"), ("APP_RETRY_LINEAR", "1s")],
            &["`APP_RETRY_FIXED=1s` and `APP_RETRY_LINEAR=1s` exclude each other; keep one"],
        ),
        (
            &[("APP_RETRY_ATTEMPTS", "")],
            &["with `APP_RETRY_ATTEMPTS=` nothing says when to give up: write \
               `APP_RETRY_ATTEMPTS=5` or `APP_RETRY_WITHIN=30s`; a link without an end has a bound \
               here too, which `#[retry(forever, wait = config.wait(), …)]` leaves aside"],
        ),
        (
            &[("APP_RETRY_EXPONENTIAL", ""), ("APP_RETRY_JITTER", "loud")],
            &[
                "`APP_RETRY_JITTER=loud` is not a jitter; it is one of `none`, `full`, `equal` and \
                 `factor:0.5`, or a duration such as `250ms`",
                "with `APP_RETRY_EXPONENTIAL=` nothing says how long to wait before the next \
                 attempt: write `APP_RETRY_EXPONENTIAL=100ms`, `APP_RETRY_FIXED=1s` or \
                 `APP_RETRY_LINEAR=100ms`",
            ],
        ),
    ] {
        let error = with(config, vars).unwrap_err();
        assert_eq!(error.faults().collect::<Vec<_>>(), faults, "{vars:?}");
        assert_eq!(error.to_string(), faults.join("\n"));
    }
}

#[test]
fn an_empty_prefix_is_refused() {
    let error = load(r#"attempts = 5; fixed = "1s""#).with_env("").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the prefix is empty, so every variable would belong to the policy; write one such as \
         `APP_RETRY_`",
    );
}

#[test]
fn a_prefix_without_its_underscore_is_told_to_have_one() {
    let config = load(r#"attempts = 5; fixed = "1s""#);
    let error = config.with_vars("APP_RETRY", [("APP_RETRY_ATTEMPTS", "3")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown variable `APP_RETRY_ATTEMPTS`; the prefix `APP_RETRY` lacks its `_`: write \
         `APP_RETRY_`",
    );
}

#[test]
fn without_a_variable_of_the_prefix_the_environment_changes_nothing() {
    let config = load(r#"attempts = 5; fixed = "1s""#);
    assert_eq!(config.clone().with_env("NO_VARIABLE_STARTS_LIKE_THIS_"), Ok(config));
}
