//! What the README says is what the repository does.

const README: &str = include_str!("../README.md");
const REFERENCE: &str = include_str!("../src/guide/reference.md");

#[test]
fn it_is_short_enough_to_be_read() {
    // Where its links lead is not read.
    assert!(README.lines().filter(|line| !line.starts_with('[')).count() <= 220);
}

#[test]
fn what_it_links_to_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let definitions = README.lines().filter(|line| line.starts_with('['));
    let targets = definitions.filter_map(|line| line.split_once("]: "));
    let targets: Vec<_> = targets.map(|(_, target)| target).collect();
    assert!(targets.contains(&"benches/README.md"), "{targets:?}");
    for target in targets {
        assert!(root.join(target).exists(), "{target}");
    }
}

#[test]
fn the_instructions_of_a_first_success_are_those_that_were_counted() {
    let counted = include_str!("../benches/README.md");
    for case in ["sync", "async"] {
        let row =
            counted.lines().find(|line| line.starts_with(&format!("| {case}, first success |")));
        let cells = |row: &'static str| row.split('|').map(str::trim);
        let headings = counted.lines().find(|line| line.contains("| plain | by hand |"));
        let columns = cells(headings.unwrap_or_default()).zip(cells(row.unwrap_or_default()));
        let columns: std::collections::BTreeMap<_, _> = columns.collect();
        let claim = format!("{} against {}", columns["now"], columns["by hand"]);
        for page in [README, REFERENCE] {
            let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(&claim), "{case}: {claim}");
        }
    }
}

#[test]
fn the_chapters_of_the_guide_are_numbered_as_they_are_listed() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide");
    let list = include_str!("../src/guide/mod.rs");
    let rows = list.lines().filter_map(|line| line.strip_prefix("//! | ")?.split_once(" | [`"));
    let chapters: Vec<_> =
        rows.filter_map(|(n, rest)| Some((n, rest.split_once('`')?.0))).collect();
    assert_eq!(chapters.len(), list.matches("pub mod ").count(), "{chapters:?}");
    for (at, (number, chapter)) in chapters.into_iter().enumerate() {
        assert_eq!(number, (at + 1).to_string(), "{chapter}");
        let text = std::fs::read_to_string(root.join(chapter).with_extension("md"));
        let heading = format!("# {number}. ");
        assert!(text.is_ok_and(|text| text.starts_with(&heading)), "{chapter}: {heading}");
    }
}

#[test]
fn the_messages_shown_are_those_of_the_compiler() {
    let messages = [
        include_str!("ui/fail/policy/may_never_end_and.stderr"),
        include_str!("ui/fail/policy/first_delay_does_not_fit.stderr"),
    ];
    let shown: Vec<&str> = README
        .split("```text\n")
        .skip(1)
        .filter_map(|block| block.split("```").next())
        .filter(|block| block.starts_with("error"))
        .collect();
    assert_eq!(shown.len(), messages.len());
    for (shown, message) in shown.into_iter().zip(messages) {
        assert!(message.starts_with(shown), "{shown}\nis not how this starts:\n{message}");
    }
}

#[test]
fn the_commands_shown_are_those_that_ci_runs() {
    // What is locked there is no other command.
    let ci = include_str!("../.ci/run").replace(" --locked", "");
    for command in ["cargo run --example quickstart", "cargo test --workspace --all-features"] {
        assert!(README.contains(&format!("```text\n{command}\n```")), "{command}");
        assert!(ci.contains(command), "{command}");
    }
}

#[test]
fn every_key_is_in_the_table() {
    let source = include_str!("../retry-macros/src/read/keys.rs");
    let (_, table) = source.split_once("\nkeys! {\n").unwrap_or_default();
    let entries = table.lines().take_while(|line| *line != "}");
    let names = entries.filter_map(|line| line.strip_prefix("    \"")?.split('"').next());
    let keys: Vec<_> = names.collect();
    assert!(keys.contains(&"stop") && keys.contains(&"crate"), "{keys:?}");
    for key in keys {
        let starts = [format!("| `{key}` |"), format!("| `{key}(")];
        let in_a_table =
            REFERENCE.lines().any(|line| starts.iter().any(|start| line.starts_with(start)));
        assert!(in_a_table, "{key}");
    }
}

#[test]
fn every_reason_is_in_the_table() {
    for reason in retry::StopReason::ALL {
        let row = format!("| `{reason:?}` | `{reason}` | ");
        assert!(REFERENCE.lines().any(|line| line.starts_with(&row)), "{row}");
    }
}

#[test]
fn every_feature_is_in_the_table() {
    let manifest = include_str!("../Cargo.toml");
    let (_, features) = manifest.split_once("[features]").unwrap_or_default();
    let (features, _) = features.split_once("\n[").unwrap_or_default();
    let features: Vec<_> = features
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.split_once(" = ")?.0))
        .filter(|feature| *feature != "default")
        .collect();
    assert!(features.contains(&"tracing"), "{features:?}");
    for feature in features {
        assert!(README.contains(&format!("\n| `{feature}` |")), "{feature}");
    }
}

#[test]
fn every_strategy_and_condition_is_in_the_tables() {
    let names = [
        "attempts",
        "within",
        "elapsed",
        "until",
        "when",
        "none",
        "fixed",
        "linear",
        "exponential",
        "fibonacci",
        "random",
        "decorrelated",
        "sequence",
        "by",
        "throttled",
        "full_jitter",
        "equal_jitter",
        "jitter_factor",
        "jitter",
        "cap",
        "floor",
        "error",
        "any_error",
        "transient",
        "is",
        "source_is",
        "ok",
        "output",
        "matches",
        "at_most",
    ];
    for name in names {
        let call = [format!("{name}("), format!("{name}::<T>(")];
        let in_a_table = REFERENCE
            .lines()
            .filter(|line| line.starts_with('|'))
            .any(|line| call.iter().any(|call| line.contains(call)));
        assert!(in_a_table, "{name}");
    }
}

#[test]
fn the_page_of_the_macro_has_the_tables_of_the_reference() {
    let page = include_str!("../retry-macros/src/tables.md");
    // Without the targets of links, which differ.
    let rows = |text: &str| {
        let rows = text.lines().filter(|line| line.starts_with('|')).map(|row| {
            let parts = row.split("](").enumerate().map(|(at, part)| match at {
                0 => part,
                _ => part.split_once(')').unwrap_or_default().1,
            });
            parts.collect::<String>()
        });
        rows.collect::<Vec<_>>()
    };
    let (reference, page) = (rows(REFERENCE), rows(page));
    assert!(page.len() > 70, "{}", page.len());
    for (reference, page) in reference.iter().zip(&page) {
        assert_eq!(page, reference);
    }
    assert!(reference[page.len()].starts_with("| `#[derive(Transient)]`"));
}

#[test]
fn the_first_call_shown_is_the_one_that_is_compiled() {
    let docs: Vec<_> = include_str!("../src/reqwest/mod.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let block = |text: &str, fence: &str| {
        let (_, after) = text.split_once(fence).unwrap_or_default();
        after.split_once("```").unwrap_or_default().0.to_owned()
    };
    let shown = block(README, "```rust,ignore\n");
    assert!(shown.contains("#[retry("), "{shown}");
    assert_eq!(shown, block(&docs.join("\n"), "```no_run\n"));
}

#[test]
fn the_chapters_are_listed_as_in_the_guide_and_link_to_each_other() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide");
    let list = include_str!("../src/guide/mod.rs");
    for row in list.lines().filter_map(|line| line.strip_prefix("//! | ")?.split_once(" | [`")) {
        let (number, rest) = row;
        let (chapter, when) = rest.split_once('`').unwrap_or_default();
        let when = when.split_once(" | ").unwrap_or_default().1;
        let text = std::fs::read_to_string(root.join(chapter).with_extension("md"));
        let text = text.unwrap_or_default();
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        assert!(title.starts_with(&format!("{number}. ")), "{title}");
        let row = format!("| {} | {when}\n", listed(title, chapter));
        assert!(README.contains(&row), "{row}");
        let modules = include_str!("../src/guide/links.md");
        assert!(!text.contains("](crate::guide::"), "{chapter}: a link that only rustdoc follows");
        for (label, target) in text.lines().filter_map(|line| line.split_once("]: ")) {
            let Some((file, anchor)) = target.split_once(".md") else { continue };
            assert!(text.contains(&format!("]{label}]")), "{chapter}: nothing links to {label}");
            assert!(
                modules.contains(&format!("{label}]: crate::guide::{file}{anchor}\n")),
                "{label}"
            );
            let linked = std::fs::read_to_string(root.join(file).with_extension("md"));
            let headings = linked.unwrap_or_default();
            let mut headings = headings.lines().filter(|line| line.starts_with('#'));
            let slug = |heading: &str| {
                let plain = heading.trim_start_matches('#').trim().to_lowercase();
                let plain = plain.replace(' ', "-");
                plain
                    .replace(|letter: char| !letter.is_alphanumeric() && !"-_".contains(letter), "")
            };
            let found = anchor.is_empty()
                || headings.any(|heading| slug(heading) == anchor.trim_start_matches('#'));
            assert!(found, "{chapter}: {target}");
        }
    }
}

/// A chapter in the table of the README.
fn listed(title: &str, chapter: &str) -> String {
    let (number, title) = title.split_once(". ").unwrap_or_default();
    format!("{number}. [{title}][guide_{chapter}]")
}
