//! Runs the example as a user does and reads what it prints.

#[path = "../../support/process.rs"]
mod process;

use process::{output, run};

/// The lines besides the tables, which show a row for each attempt.
fn told<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    lines.filter(|line| !line.starts_with(' ') && !line.starts_with("attempt ")).collect()
}

#[test]
fn each_file_gives_its_own_patience() {
    let lines = run("config");
    assert_eq!(
        told(lines.iter().map(String::as_str)),
        [
            "staging: orders.staging",
            "at most 3 attempts, waits of 10ms in total",
            "gave up on attempt 3: the service is unavailable",
            "production: orders",
            "at most 6 attempts, waits of 37.5ms–75ms in total, within 30s",
            "got three boxes of tea on attempt 4",
        ],
    );
    let row = "      4  10ms–20ms    17.5ms    35ms  ";
    assert!(lines.iter().any(|line| line.starts_with(row)), "{lines:#?}");
}

#[test]
fn environment_variables_override_the_files() {
    let output = output(
        "config",
        &[
            ("ORDERS_RETRY_ATTEMPTS", "2"),
            ("ORDERS_RETRY_LINEAR", "2ms"),
            ("ORDERS_RETRY_JITTER", "none"),
            ("ORDERS_RETRY_CAP", ""),
        ],
    );
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        told(String::from_utf8_lossy(&output.stdout).lines()),
        [
            "staging: orders.staging",
            "at most 2 attempts, waits of 2ms in total",
            "gave up on attempt 2: the service is unavailable",
            "production: orders",
            "at most 2 attempts, waits of 2ms in total, within 30s",
            "gave up on attempt 2: the service is unavailable",
        ],
    );
}

#[test]
fn a_misspelled_variable_and_a_bad_value_are_told_before_the_first_call() {
    let output = output("config", &[("ORDERS_RETRY_ATEMPTS", "2"), ("ORDERS_RETRY_WITHIN", "30")]);
    assert!(!output.status.success());
    assert!(output.stdout.is_empty(), "{output:?}");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr).lines().collect::<Vec<_>>(),
        [
            "unknown variable `ORDERS_RETRY_ATEMPTS`; did you mean `ORDERS_RETRY_ATTEMPTS`?",
            "`ORDERS_RETRY_WITHIN=30` has no unit: write `ORDERS_RETRY_WITHIN=30s`, \
             `ORDERS_RETRY_WITHIN=30ms`, …",
        ],
    );
}
