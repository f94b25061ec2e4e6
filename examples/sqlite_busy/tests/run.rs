//! Runs the example as a user does and reads what it prints.

#![allow(clippy::expect_used)] // a test that cannot go on should say where

#[path = "../../support/process.rs"]
mod process;

use process::run;

#[test]
fn no_write_is_lost_and_none_is_doubled() {
    let lines = run("sqlite_busy");
    assert_eq!(lines.len(), 7, "{lines:#?}");
    assert_eq!(lines[..2], ["the database is locked", "the database is free again"]);

    // The table of what was retried, worst first.
    assert!(lines[4].starts_with("name "), "{lines:#?}");
    let insert = lines[5..].iter().find(|line| line.starts_with("insert ")).expect("a row");
    let cells: Vec<_> = insert.split_whitespace().collect();
    assert_eq!(cells[1], "100", "calls: {lines:#?}");
    assert!(cells[3].parse::<u32>().is_ok_and(|recovered| recovered > 0), "{lines:#?}");

    let retries =
        lines[2].strip_prefix("4 writers, ").and_then(|line| line.strip_suffix(" retries"));
    let retries = retries.and_then(|retries| retries.parse::<u32>().ok());
    assert!(retries.is_some_and(|retries| retries > 0), "{lines:#?}");

    assert_eq!(lines[3], "100 rows of 100, 100 of them distinct");
}
