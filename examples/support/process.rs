//! Runs an example as a process of its own.

#![allow(clippy::expect_used)] // only tests use it

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The lines that the example prints, once it has ended well.
pub(crate) fn run(example: &str) -> Vec<String> {
    let output = output(example, &[]);
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{text}{errors}", output.status);
    text.lines().map(ToOwned::to_owned).collect()
}

/// What becomes of the example under these environment variables, besides those there are.
pub(crate) fn output(example: &str, vars: &[(&str, &str)]) -> Output {
    let vars = vars.iter().copied();
    Command::new(built(example)).envs(vars).output().expect("the example starts")
}

/// The example's executable, in `examples/` of the profile whose `deps/` this test is in.
pub(crate) fn built(example: &str) -> PathBuf {
    let test = env::current_exe().expect("a test has a path");
    let profile = test.parent().and_then(Path::parent).expect("it is in target/<profile>/deps");
    let path = profile.join("examples").join(format!("{example}{}", env::consts::EXE_SUFFIX));
    // `cargo test` has built the examples too, unless it was asked for this test only.
    if !path.exists() {
        build(example, profile);
    }
    path
}

fn build(example: &str, profile: &Path) {
    let target = profile.parent().expect("it is in a target folder");
    let profile = match profile.file_name().and_then(|name| name.to_str()) {
        None | Some("debug") => "dev",
        Some(profile) => profile,
    };
    let status = Command::new(env!("CARGO"))
        .args(["build", "--profile", profile, "--package", env!("CARGO_PKG_NAME")])
        .args(["--example", example, "--target-dir"])
        .arg(target)
        .status()
        .expect("cargo starts");
    assert!(status.success(), "cargo cannot build the example {example}");
}
