//! Counts the instructions of a call with valgrind's cachegrind.
//!
//! The benchmark runs itself again under valgrind with a case and a number of calls. Two runs of
//! different length, the difference divided by the difference of the lengths: whatever happens
//! once (start, registration, the first line of a lazy static) falls out.

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::{Command, ExitCode};

/// The same work, done in several ways.
pub struct Case {
    pub name: &'static str,
    pub ways: &'static [Way],
    /// What the last way may cost.
    pub target: Option<u64>,
}

pub struct Way {
    pub name: &'static str,
    /// Makes this many calls.
    pub run: fn(u64),
}

const SHORT: u64 = 1_000;
const LONG: u64 = 11_000;

/// The one loop around what is counted, so that a call can be seen by itself (`show`).
#[inline(never)]
pub fn repeat<T>(calls: u64, mut call: impl FnMut(u64) -> T) {
    for x in 0..calls {
        let _ = black_box(call(black_box(x)));
    }
}

/// Counts all cases, or those whose name holds the argument; `show CASE WAY` says where the
/// instructions go.
pub fn main(cases: &[Case]) -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    match *args {
        // What valgrind is told to run.
        ["run", case, way, calls] => run(cases, case, way, calls),
        _ if !has_valgrind() => {
            println!("valgrind is not installed, so nothing is counted: apt-get install valgrind");
            Ok(())
        }
        [] => table(cases, ""),
        [filter] => table(cases, filter),
        ["show", case, way] => show(cases, case, way),
        _ => Err("takes nothing, a part of a case's name, or `show CASE WAY`".into()),
    }
    .map_or_else(
        |error| {
            eprintln!("{error}");
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}

fn run(cases: &[Case], case: &str, way: &str, calls: &str) -> Result<(), String> {
    let way = find(cases, case, way)?.1;
    (way.run)(calls.parse().map_err(|_| format!("`{calls}` is not a number of calls"))?);
    Ok(())
}

/// The first that fits: parts of the names will do.
fn find<'a>(cases: &'a [Case], case: &str, way: &str) -> Result<(&'a Case, &'a Way), String> {
    let mut fitting = cases.iter().filter(|it| it.name.contains(case));
    fitting
        .find_map(|case| Some((case, case.ways.iter().find(|it| it.name.contains(way))?)))
        .ok_or_else(|| format!("no case `{case}` with a way `{way}`"))
}

fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|it| it.status.success())
}

fn table(cases: &[Case], filter: &str) -> Result<(), String> {
    println!("instructions a call\n");
    for case in cases.iter().filter(|case| case.name.contains(filter)) {
        let mut line = format!("{:28}", case.name);
        for way in case.ways {
            let cost = cost(case, way)?;
            let _ = write!(line, " {} {cost:5}  ", way.name);
        }
        if let Some(target) = case.target {
            let _ = write!(line, " (to reach: {target})");
        }
        println!("{line}");
    }
    Ok(())
}

fn cost(case: &Case, way: &Way) -> Result<u64, String> {
    let few = count(case, way, SHORT)?;
    let many = count(case, way, LONG)?;
    let calls = LONG - SHORT;
    Ok((many.saturating_sub(few) + calls / 2) / calls)
}

fn count(case: &Case, way: &Way, calls: u64) -> Result<u64, String> {
    let told = valgrind(
        &["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"],
        [case.name, way.name, &calls.to_string()],
    )?;
    told.lines()
        .find_map(|line| line.split_once("refs:"))
        .and_then(|(_, count)| count.trim().replace(',', "").parse().ok())
        .ok_or_else(|| format!("valgrind told no number:\n{told}"))
}

fn show(cases: &[Case], case: &str, way: &str) -> Result<(), String> {
    let (case, way) = find(cases, case, way)?;
    let file = std::env::temp_dir().join(format!("instructions.{}", std::process::id()));
    let out = format!("--callgrind-out-file={}", file.display());
    let options = ["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*::repeat*", &out];
    println!(
        "{}, {}: {SHORT} calls, so the last three digits are thousandths",
        case.name, way.name
    );
    let calls = SHORT.to_string();
    let done = valgrind(&options, [case.name, way.name, &calls]).and_then(|_| {
        let mut annotate = Command::new("callgrind_annotate");
        let shown = annotate.args(["--auto=no", "--threshold=100"]).arg(&file).status();
        shown.map(drop).map_err(|error| error.to_string())
    });
    let _ = std::fs::remove_file(file);
    done
}

/// Runs this program under valgrind; gives what valgrind said.
fn valgrind(options: &[&str], run: [&str; 3]) -> Result<String, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    command.args(options).arg(this).arg("run").args(run);
    let output = command.output().map_err(|error| error.to_string())?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(told) } else { Err(told) }
}
