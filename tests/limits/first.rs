//! Calls that are the first of their process: nobody has watched or limited one before, which calls
//! remember.

use std::future::pending;
use std::process::Command;
use std::time::Duration;

use retry::{Interrupted, Interruption, retry};

/// Whether this is a process of its own for the test of this name. If not, the test is run in one.
fn is_alone(test: &str) -> bool {
    const ALONE: &str = "RETRY_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut alone = Command::new(std::env::current_exe().unwrap());
    let output = alone.args(["--exact", test]).env(ALONE, "").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    false
}

#[test]
fn a_deadline_limits_the_first_call_of_a_process() {
    #[retry(stop = attempts(2), wait = none(), on = any_error(), deadline = 1h)]
    fn remaining() -> Result<Option<Duration>, Interrupted> {
        Ok(retry::current().unwrap().remaining())
    }
    if is_alone("first::a_deadline_limits_the_first_call_of_a_process") {
        assert!(remaining().unwrap().is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_cuts_the_first_call_of_a_process() {
    #[retry(stop = attempts(2), wait = none(), on = any_error(), attempt_timeout = 1s, idempotent)]
    async fn hangs() -> Result<(), Interrupted> {
        pending().await
    }
    if is_alone("first::a_timeout_cuts_the_first_call_of_a_process") {
        let hour = Duration::from_secs(3_600);
        let cut = tokio::time::timeout(hour, hangs()).await.unwrap().unwrap_err();
        assert_eq!(cut.by(), Interruption::AttemptTimeout);
    }
}

#[test]
fn the_first_call_of_a_process_may_be_switched_off() {
    #[retry(stop = attempts(2), wait = none(), on = any_error(), enabled = false)]
    fn fails(calls: &mut u32) -> Result<(), ()> {
        *calls += 1;
        Err(())
    }
    if is_alone("first::the_first_call_of_a_process_may_be_switched_off") {
        let mut calls = 0;
        assert!(fails(&mut calls).is_err());
        assert_eq!(calls, 1);
    }
}
