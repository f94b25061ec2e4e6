//! Runs the example as a user does and reads what it prints.

#[path = "../../support/process.rs"]
mod process;

use process::{output, run};

#[test]
fn each_file_gives_its_own_patience() {
    assert_eq!(
        run("config"),
        [
            "staging: orders.staging",
            "  attempt 2 after at most 5ms",
            "  attempt 3 after at most 5ms",
            "  gave up on attempt 3: the service is unavailable",
            "production: orders",
            "  attempt 2 after at most 5ms",
            "  attempt 3 after at most 10ms",
            "  attempt 4 after at most 20ms",
            "  attempt 5 after at most 20ms",
            "  attempt 6 after at most 20ms",
            "  got three boxes of tea on attempt 4",
        ],
    );
}

#[test]
fn environment_variables_override_the_files() {
    let output = output(
        "config",
        &[("ORDERS_RETRY_ATTEMPTS", "2"), ("ORDERS_RETRY_LINEAR", "2ms"), ("ORDERS_RETRY_CAP", "")],
    );
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).lines().collect::<Vec<_>>(),
        [
            "staging: orders.staging",
            "  attempt 2 after at most 2ms",
            "  gave up on attempt 2: the service is unavailable",
            "production: orders",
            "  attempt 2 after at most 2ms",
            "  gave up on attempt 2: the service is unavailable",
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
