//! Runs each example as a user does and reads what it prints.

#![allow(clippy::expect_used)] // a test that cannot go on should say where

#[path = "../support/process.rs"]
mod process;

#[cfg(unix)]
use std::io::{BufRead, BufReader, Read};
#[cfg(unix)]
use std::process::{Command, Stdio};

#[cfg(unix)]
use process::built;
use process::run;

/// What is told about the function `name`, in order.
fn attempts<'a>(lines: &'a [String], name: &str) -> Vec<&'a str> {
    let prefix = format!("{name}: ");
    lines.iter().filter_map(|line| line.strip_prefix(&prefix)).collect()
}

/// The milliseconds at the end of `… trying again in 57 ms`.
fn wait(line: &str) -> Option<u32> {
    line.rsplit_once("; trying again in ")?.1.strip_suffix(" ms")?.parse().ok()
}

/// A number of an event.
fn field(line: &str, field: &str) -> Option<f64> {
    let (_, value) = line.split_once(&format!(" {field}="))?;
    value.split_whitespace().next()?.parse().ok()
}

#[test]
fn quickstart_gets_its_answer_on_the_third_attempt() {
    let lines = run("quickstart");
    assert!(lines[0].starts_with("asking http://127.0.0.1:"), "{lines:#?}");

    // The events as they are.
    let name = "name=\"quickstart::fetch_answer\" call=";
    for (attempt, most) in [(1_u32, 0.1), (2, 0.2)] {
        let line = lines[attempt as usize].trim_start();
        assert!(
            line.starts_with(&format!("WARN retry: attempt failed, retrying {name}")),
            "{line}"
        );
        assert!(line.contains(&format!(" attempt={attempt} ")), "{line}");
        assert!(line.ends_with(" error=the server answered 503 Service Unavailable"), "{line}");
        assert!(field(line, "delay").is_some_and(|delay| delay <= most), "{line}");
    }
    let line = lines[3].trim_start();
    assert!(line.starts_with(&format!("INFO retry: succeeded after retrying {name}")), "{line}");
    assert!(line.contains(" attempt=3 "), "{line}");

    assert_eq!(lines.last().map(String::as_str), Some("answer: 42"));
}

#[test]
fn sync_connects_as_soon_as_the_port_is_open() {
    let lines = run("sync");
    assert!(lines[0].starts_with("connecting to 127.0.0.1:"), "{lines:#?}");

    let told = attempts(&lines, "sync::connect");
    // How many attempts it takes depends on the machine; that the first one fails does not.
    assert!(told.len() > 1, "{lines:#?}");
    let last = told.len() - 1;
    for (i, line) in told[..last].iter().enumerate() {
        assert!(line.starts_with(&format!("attempt {} failed: ", i + 1)), "{lines:#?}");
        assert_eq!(wait(line), Some((50 << i).min(250)), "{lines:#?}");
    }
    assert_eq!(told[last], format!("attempt {} succeeded", told.len()));

    let greeting = "greeting: hello, you are welcome now";
    assert_eq!(lines.last().map(String::as_str), Some(greeting));
}

#[test]
fn reconnect_delivers_all_lines_though_a_client_gives_up() {
    let told = run("reconnect");
    let waits: Vec<_> = told
        .iter()
        .filter_map(|line| line.split_once("; trying again in ")?.1.strip_suffix("ms"))
        .collect();
    let expected = [
        &["10", "20", "40"][..],
        &["10", "20", "40", "80"],
        &["10", "20", "40", "80", "100"],
        &["10"],
    ];
    assert_eq!(waits, expected.concat(), "{told:#?}");

    let line = |number| format!("line {number}");
    let delivered: Vec<_> =
        told.iter().filter_map(|line| line.strip_prefix("delivered ")).collect();
    let lines: Vec<_> = (1..=8).map(line).collect();
    assert_eq!(delivered, lines);
    assert!(told.iter().any(|line| line.starts_with("ended: attempts, ")), "{told:#?}");
    let all = format!("the server has 8 of 8 lines: {}", lines.join(", "));
    assert_eq!(told.last(), Some(&all));
}

#[cfg(unix)]
#[test]
fn graceful_shutdown_ends_its_pauses_at_once_and_its_work_in_hand_well() {
    let mut command = Command::new(built("graceful_shutdown"));
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut told = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut lines = Vec::new();
    // Until both are in a pause of a minute, and an order is on its way.
    while lines.iter().filter(|line: &&String| line.ends_with("pausing for 60s")).count() < 2 {
        let mut line = String::new();
        assert!(told.read_line(&mut line).is_ok_and(|read| read > 0), "{lines:#?}");
        lines.push(line.trim_end().to_owned());
    }
    let interrupt = format!("kill -INT {}", child.id());
    let interrupt = Command::new("sh").args(["-c", &interrupt]).status();
    assert!(interrupt.is_ok_and(|status| status.success()));

    let mut rest = String::new();
    told.read_to_string(&mut rest).expect("it prints text");
    assert_eq!(child.wait().ok().and_then(|status| status.code()), Some(0), "{rest}");
    lines.extend(rest.lines().map(ToOwned::to_owned));
    for what in ["upload", "flush"] {
        let start = format!("{what}: cancelled after 1 attempt, in ");
        let took = lines.iter().find_map(|line| line.strip_prefix(&start)?.strip_suffix(" ms"));
        // A busy machine may take long to let a process run; a pause that is not cut takes a minute.
        assert!(took.is_some_and(|ms| ms.parse().is_ok_and(|ms: u32| ms < 10_000)), "{lines:#?}");
    }
    // Whatever has begun was finished, in the end with the last of it.
    let orders = |end: &str| {
        lines.iter().filter(|line| line.starts_with("order ") && line.ends_with(end)).count()
    };
    assert!(orders(": on its way") > 0, "{lines:#?}");
    assert_eq!(orders(": on its way"), orders(": delivered"), "{lines:#?}");
    assert_eq!(lines.last().map(String::as_str), Some("ended well"));
}
