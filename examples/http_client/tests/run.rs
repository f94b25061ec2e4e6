//! Runs the example as a user does and reads what it prints.

#[path = "../../support/process.rs"]
mod process;

use process::{output, run};

/// What is logged of the calls, apart from the rest.
fn is_logged(line: &str) -> bool {
    line.starts_with(" WARN ") || line.starts_with(" INFO ")
}

/// The lines up to the numbers at the end, without how long an attempt had taken when it was cut.
fn story(lines: &[String]) -> Vec<&str> {
    let lines = lines.iter().map(String::as_str).take_while(|line| !line.is_empty());
    lines
        .filter(|line| !is_logged(line))
        .map(|line| line.split_once(" timed out").map_or(line, |(before, _)| before))
        .collect()
}

#[test]
fn each_bad_day_ends_as_it_should() {
    let lines = run("http_client");
    assert_eq!(
        story(&lines),
        [
            "# an answer at once",
            "  GET /orders/1 -> 200",
            "= three boxes of tea",
            "# a bad minute: asked to wait, cut off, a broken gateway",
            "  GET /orders/2 -> 503, retry-after-ms: 80",
            "  GET /orders/2 -> connection closed",
            "  GET /orders/2 -> 502",
            "  GET /orders/2 -> 200",
            "= a jug of milk",
            "# no such order: an answer, too",
            "  GET /orders/404 -> 404",
            "= failed: 404 Not Found",
            "# an hour is not waited for",
            "  GET /orders/3 -> 429, retry-after: 3600",
            "= failed: 429 Too Many Requests, to be retried after 3600s",
            "# a payment whose answer is lost, with a key: sent until it is answered",
            "  POST /orders, key order-7 -> no answer",
            "  POST /orders, key order-7 -> 409",
            "  POST /orders, key order-7 -> 201",
            "= order 7",
            "# the same without one: nobody knows, so it is not sent again",
            "  POST /mail -> no answer",
            "= failed: an attempt of `orders`",
            "# no answer, again and again: over in time all the same",
            "  GET /orders/5 -> no answer",
            "  GET /orders/5 -> no answer",
            "  GET /orders/5 -> no answer",
            "= failed: an attempt of `orders`",
            "# an outage: after five failures in a row the breaker opens, and the next call sends nothing",
            "  GET /orders/1 -> 200",
            "= three boxes of tea",
            "  GET /outage -> 503",
            "  GET /outage -> 503",
            "  GET /outage -> 503",
            "  GET /outage -> 503",
            "  GET /outage -> 503",
            "= failed: 503 Service Unavailable",
            "= failed: the breaker of `orders` is open",
            "# later one request tries, and is answered; the breaker closes",
            "  GET /outage -> 200",
            "= back again",
        ]
    );
}

/// The field of a line of the log.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}="))?;
    rest.split(' ').next()
}

#[test]
fn the_log_has_fields_and_the_numbers_add_up() {
    let lines = run("http_client");
    let logged: Vec<_> = lines.iter().filter(|line| is_logged(line)).collect();
    let count = |text: &str| logged.iter().filter(|line| line.contains(text)).count();
    assert_eq!(count(" INFO succeeded after retrying "), 2);
    assert_eq!(count(" WARN breaker opened "), 1);
    assert_eq!(count(" INFO breaker closed "), 1);
    let reasons: Vec<_> = logged
        .iter()
        .filter(|line| line.contains(" WARN giving up "))
        .filter_map(|line| field(line, "reason"))
        .collect();
    let expected = ["hint_too_long", "ambiguous", "time", "attempts"];
    assert_eq!(reasons, expected.map(|reason| format!("\"{reason}\"")));

    let retries: Vec<_> =
        logged.iter().filter(|line| line.contains(" WARN attempt failed, retrying ")).collect();
    assert_eq!(retries.len(), 3 + 2 + 2 + 4);
    for line in &retries {
        for name in ["delay", "elapsed"] {
            assert!(field(line, name).is_some_and(|it| it.parse::<f64>().is_ok()), "{line}");
        }
    }
    let hinted = retries.iter().find(|line| line.contains("to be retried after 80ms"));
    let delay = hinted.and_then(|line| field(line, "delay")).and_then(|it| it.parse::<f64>().ok());
    assert!(delay >= Some(0.08), "{hinted:?}");

    let table = lines.iter().position(|line| line.starts_with("name "));
    let row: Vec<_> = table.map_or("", |at| &lines[at + 1]).split_whitespace().take(4).collect();
    assert_eq!(row, ["orders", "11", "3", "2"]);
    let end = &lines[lines.len() - 3..];
    assert_eq!(end[0], "retries per success: 2.2, too many");
    assert!(end[1].ends_with(" of 500 tokens, 0 refused"), "{end:?}");
    assert_eq!(end[2], "breaker: opened 1, refused 1");
}

#[test]
fn the_environment_overrides_the_settings() {
    let vars = [("ORDERS_RETRY_ATTEMPTS", "2"), ("ORDERS_RETRY_ATTEMPT_TIMEOUT", "100ms")];
    let output = output("http_client", &vars);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    for (path, times) in [("GET /orders/2 ", 2), ("POST /orders,", 2)] {
        let asked = text.lines().filter(|line| line.starts_with(&format!("  {path}"))).count();
        assert_eq!(asked, times, "{path}\n{text}");
    }
}

#[test]
fn a_bad_setting_is_told_before_anything_is_sent() {
    let output = output("http_client", &[("ORDERS_RETRY_DEADLINE", "2")]);
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("ORDERS_RETRY_DEADLINE"), "{errors}");
    assert!(output.stdout.is_empty());
}
