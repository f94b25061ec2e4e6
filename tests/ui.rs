//! What does not compile, and what the compiler then says. The messages are those of one
//! compiler, so they are compared under that one only.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

#[rustversion::attr(not(stable(1.95)), ignore = "the messages are those of Rust 1.95")]
#[test]
fn every_mistake_has_a_message_that_is_enough_to_mend_it() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*/*.rs");
    cases.compile_fail("tests/ui/fail/*/*.rs");
}

/// A case holds one mistake and no warning, unless its last lines say `// errors: N` and
/// `// warnings: N`.
#[test]
fn one_mistake_gives_one_error_in_words_that_a_user_can_know() {
    let mut cases = Vec::new();
    sources(Path::new("tests/ui/fail"), &mut cases);
    assert!(cases.len() > 200, "only {} cases found", cases.len());
    let faults: Vec<_> = cases.iter().filter_map(|case| fault(case)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// What is wrong with what the compiler says of a case.
fn fault(case: &Path) -> Option<String> {
    let name = case.display();
    let source = fs::read_to_string(case).unwrap();
    let Ok(said) = fs::read_to_string(case.with_extension("stderr")) else {
        return Some(format!("{name}: nothing written down of what the compiler says"));
    };
    let count = |kind: &str| {
        let starts = [format!("{kind}:"), format!("{kind}[")];
        said.lines().filter(|line| starts.iter().any(|start| line.starts_with(start))).count()
    };
    let stated = |kind: &str, default: usize| {
        let start = format!("// {kind}s: ");
        let line = source.lines().find_map(|line| line.strip_prefix(start.as_str()));
        line.map_or(default, |number| number.trim().parse().unwrap())
    };
    for (kind, default) in [("error", 1), ("warning", 0)] {
        let (counted, stated) = (count(kind), stated(kind, default));
        if counted != stated {
            return Some(format!("{name}: {counted} {kind}s for {stated}"));
        }
    }
    let hidden = ["__private", "__retry"].into_iter().find(|word| said.contains(word));
    hidden.map(|word| format!("{name}: the message shows `{word}`"))
}
