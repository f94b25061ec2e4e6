//! A report as data.

use super::*;

use retry::{Interrupted, RetryError, StopReason, Verdict, record, record_sync, retry, retry_with};
use serde_json::{json, to_value};
use std::time::Duration;
use support::{ms, secs};

#[derive(Debug)]
struct Error(&'static str);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl From<Interrupted> for Error {
    fn from(_: Interrupted) -> Self {
        Self("cut")
    }
}

/// Every field by its name, in the order in which they are written.
#[tokio::test(start_paused = true)]
async fn all_that_a_report_knows_is_written() {
    #[retry(name = "inner", stop = attempts(2), wait = none(), on = any_error(), log = off)]
    async fn inner() -> Result<(), Error> {
        Err(Error("busy"))
    }
    #[retry(
        name = "outer",
        stop = attempts(5),
        wait = fixed(500ms),
        on = |_| Verdict::Retry.retry_after(secs(2)).throttled(),
        attempt_timeout = 1s,
        deadline = 10s,
        idempotent,
        log = off,
    )]
    async fn outer(attempt: &mut u32) -> Result<&'static str, Error> {
        *attempt += 1;
        match attempt {
            1 => inner().await.map(|()| "never"),
            2 => std::future::pending().await,
            _ => {
                tokio::time::sleep(ms(250)).await;
                Ok("done")
            }
        }
    }
    let (outcome, reports) = record(outer(&mut 0)).await;
    assert_eq!(outcome.unwrap(), "done");
    let text = serde_json::to_string(reports.last().unwrap()).unwrap();
    assert_eq!(
        text,
        concat!(
            r#"{"name":"outer","reason":"success","attempts":3,"elapsed":3.75,"waited":2.5,"history":["#,
            r#"{"number":1,"duration":0.0,"#,
            r#""verdict":{"meaning":"retry","retry_after":2.0,"now":false,"throttled":true},"#,
            r#""delay":2.0,"error":"busy","interruption":null,"#,
            r#""exhausted":{"name":"inner","reason":"attempts","attempts":2}},"#,
            r#"{"number":2,"duration":1.0,"#,
            r#""verdict":{"meaning":"ambiguous","retry_after":null,"now":false,"throttled":false},"#,
            r#""delay":0.5,"error":"cut","interruption":"attempt_timeout","exhausted":null},"#,
            r#"{"number":3,"duration":0.25,"#,
            r#""verdict":{"meaning":"final","retry_after":null,"now":false,"throttled":false},"#,
            r#""delay":null,"error":null,"interruption":null,"exhausted":null}]}"#,
        )
    );
}

#[test]
fn a_call_that_was_refused_has_no_history() {
    #[retry(name = "refused", stop = attempts(2), wait = none(), on = any_error(), cancel = || true)]
    fn refused() -> Result<(), Error> {
        Ok(())
    }
    let (_, reports) = record_sync(refused);
    let mut value = to_value(&reports[0]).unwrap();
    assert!(value["elapsed"].take().is_number());
    let expected = json!({
        "name": "refused",
        "reason": "cancelled",
        "attempts": 0,
        "elapsed": null,
        "waited": 0.0,
        "history": [],
    });
    assert_eq!(value, expected);
}

#[test]
fn the_error_of_a_call_is_its_report_without_the_last_error_itself() {
    #[retry(name = "write", stop = attempts(2), wait = fixed(250ms), on = any_error(), log = off)]
    fn write() -> Result<(), RetryError<Error>> {
        Err(Error("full"))
    }
    let error = retry_with().virtual_time().sync_scope(write).unwrap_err();
    let mut value = to_value(&error).unwrap();
    assert!(value["elapsed"].as_f64().unwrap() >= 0.25);
    for past in value["history"].as_array_mut().unwrap() {
        assert!(past["duration"].take().is_number());
    }
    value["elapsed"].take();
    let verdict =
        json!({"meaning": "retry", "retry_after": null, "now": false, "throttled": false});
    let past = |number: u32, delay: Option<f64>| {
        json!({
            "number": number, "duration": null, "verdict": verdict, "delay": delay, "error": "full",
            "interruption": null, "exhausted": null,
        })
    };
    let expected = json!({
        "name": "write",
        "reason": "attempts",
        "attempts": 2,
        "elapsed": null,
        "history": [past(1, Some(0.25)), past(2, None)],
    });
    assert_eq!(value, expected);
}

#[test]
fn every_reason_is_its_word() {
    for reason in StopReason::ALL {
        assert_eq!(to_value(reason).unwrap(), reason.as_str());
    }
}

#[test]
fn a_verdict_says_all_that_it_carries() {
    let now = Verdict::Ambiguous.now().retry_after(Duration::from_micros(1500));
    let expected =
        json!({"meaning": "ambiguous", "retry_after": 0.0015, "now": true, "throttled": false});
    assert_eq!(to_value(now).unwrap(), expected);
}
