//! What three hundred annotated functions cost to build, and how much code they are, beside the
//! same functions with a loop written by hand and with `#[tracing::instrument(err)]`.
//!
//! `cargo run --manifest-path benches/many/Cargo.toml [CHECKOUT]`: measures the library of this
//! checkout, or of another. Linux only, and `size` from binutils.
//!
//! Only the crate with the functions is timed; what it depends on has been built before. The time
//! is that of the processor, the least of a few runs.

mod source;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use source::Flavour;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const FUNCTIONS: u32 = 300;
const RUNS: u32 = 5;

/// What is timed: the way of building, and its arguments to cargo.
const BUILDS: [(&str, &[&str]); 3] =
    [("release", &["build", "--release"]), ("debug", &["build"]), ("check", &["check"])];

fn main() -> Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let checkout = env::args_os().nth(1).map_or_else(|| here.join("../.."), PathBuf::from);
    let checkout = fs::canonicalize(checkout)?;
    let place = here.join("target/generated");
    println!("{FUNCTIONS} functions, half of them async; {}\n", checkout.display());

    workspace(&place, &checkout)?;
    for flavour in Flavour::ALL {
        package(&place, &checkout, flavour)?;
    }
    let empty = code(&place, Flavour::Plain, 0..0)?;
    let mut rows = Vec::new();
    for flavour in Flavour::ALL {
        let sync = code(&place, flavour, (0..FUNCTIONS).step_by(2))?.each(empty);
        let asynchronous = code(&place, flavour, (1..FUNCTIONS).step_by(2))?.each(empty);
        rows.push(Row { flavour, seconds: [0.0; BUILDS.len()], sync, asynchronous });
    }
    for (build, (_, arguments)) in BUILDS.iter().enumerate() {
        for (row, seconds) in rows.iter_mut().zip(time(&place, arguments)?) {
            row.seconds[build] = seconds;
        }
    }
    print(&rows);
    Ok(())
}

struct Row {
    flavour: Flavour,
    seconds: [f64; BUILDS.len()],
    sync: Code,
    asynchronous: Code,
}

impl Row {
    /// Of one function, whichever it is.
    fn text(&self) -> f64 {
        f64::from(self.sync.text + self.asynchronous.text) / 2.0
    }
}

fn print(rows: &[Row]) {
    let by = |flavour| rows.iter().find(|row| row.flavour == flavour);
    println!("{:24}{:>10}{:>10}{:>10}", "user seconds", BUILDS[0].0, BUILDS[1].0, BUILDS[2].0);
    for row in rows {
        let [release, debug, check] = row.seconds;
        println!("{:24}{release:10.2}{debug:10.2}{check:10.2}", row.flavour.name());
    }
    if let (Some(ours), Some(instrument)) = (by(Flavour::Retry), by(Flavour::Instrument)) {
        let [release, debug, check] =
            [0, 1, 2].map(|build| ours.seconds[build] / instrument.seconds[build]);
        println!("{:24}{release:9.2}x{debug:9.2}x{check:9.2}x", "#[retry] / #[instrument]");
    }
    println!("\n{:24}{:>10}{:>10}{:>10}", "bytes of text each", "sync", "async", "mean");
    for row in rows {
        let [sync, asynchronous] = [row.sync.text, row.asynchronous.text];
        println!("{:24}{sync:10}{asynchronous:10}{:10.0}", row.flavour.name(), row.text());
    }
    if let (Some(ours), Some(instrument)) = (by(Flavour::Retry), by(Flavour::Instrument)) {
        let [sync, asynchronous] = [
            f64::from(ours.sync.text) / f64::from(instrument.sync.text),
            f64::from(ours.asynchronous.text) / f64::from(instrument.asynchronous.text),
        ];
        let mean = ours.text() / instrument.text();
        println!("{:24}{sync:9.2}x{asynchronous:9.2}x{mean:9.2}x", "#[retry] / #[instrument]");
    }
    println!("\n{:24}{:>20}{:>20}", "the rest", "constants", "unwinding");
    for row in rows {
        let Row { flavour, sync, asynchronous, .. } = row;
        let constants = format!("{} / {}", sync.constants, asynchronous.constants);
        let unwinding = format!("{} / {}", sync.unwinding, asynchronous.unwinding);
        println!("{:24}{constants:>20}{unwinding:>20}", flavour.name());
    }
}

/// Sizes of a crate's object files, in bytes.
#[derive(Clone, Copy, Default)]
struct Code {
    text: u32,
    constants: u32,
    unwinding: u32,
}

impl Code {
    /// Of one function, where half of all are in the crate.
    fn each(self, empty: Self) -> Self {
        let each = |all, empty| (all - empty + FUNCTIONS / 4) / (FUNCTIONS / 2);
        Self {
            text: each(self.text, empty.text),
            constants: each(self.constants, empty.constants),
            unwinding: each(self.unwinding, empty.unwinding),
        }
    }
}

fn workspace(place: &Path, checkout: &Path) -> Result<()> {
    fs::create_dir_all(place)?;
    fs::write(place.join("Cargo.toml"), source::workspace())?;
    // The versions that the library is tested with; cargo drops those that nothing here needs.
    fs::copy(checkout.join("Cargo.lock"), place.join("Cargo.lock"))?;
    Ok(())
}

fn package(place: &Path, checkout: &Path, flavour: Flavour) -> Result<()> {
    let folder = place.join(flavour.package());
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), source::manifest(flavour, checkout))?;
    write(place, flavour, 0..FUNCTIONS)
}

/// New, so that cargo builds it again.
fn write(place: &Path, flavour: Flavour, numbers: impl Iterator<Item = u32>) -> Result<()> {
    let file = place.join(flavour.package()).join("src/lib.rs");
    Ok(fs::write(file, source::functions(flavour, numbers))?)
}

/// The code of a release build.
fn code(place: &Path, flavour: Flavour, numbers: impl Iterator<Item = u32>) -> Result<Code> {
    write(place, flavour, numbers)?;
    cargo(place, flavour, &["build", "--release"])?;
    let library = place.join("target/release").join(format!("lib{}.rlib", flavour.package()));
    let sizes = Command::new("size").arg("-A").arg(library).output()?;
    if !sizes.status.success() {
        return Err(String::from_utf8_lossy(&sizes.stderr).into());
    }
    let mut code = Code::default();
    for line in String::from_utf8_lossy(&sizes.stdout).lines() {
        let mut words = line.split_whitespace();
        let (Some(section), Some(Ok(size))) = (words.next(), words.next().map(str::parse::<u32>))
        else {
            continue;
        };
        match section {
            _ if section.starts_with(".text") => code.text += size,
            _ if section.starts_with(".rodata") || section.starts_with(".data") => {
                code.constants += size;
            }
            _ if section.starts_with(".eh_frame") || section.starts_with(".gcc_except") => {
                code.unwinding += size;
            }
            _ => {}
        }
    }
    Ok(code)
}

/// Seconds of the processor for each flavour. They take turns, so that a change of the machine's
/// speed meets all of them.
fn time(place: &Path, arguments: &[&str]) -> Result<[f64; Flavour::ALL.len()]> {
    let mut least = [f64::INFINITY; Flavour::ALL.len()];
    for run in 0..=RUNS {
        for (least, flavour) in least.iter_mut().zip(Flavour::ALL) {
            write(place, flavour, 0..FUNCTIONS)?;
            let before = children()?;
            cargo(place, flavour, arguments)?;
            // The first run builds what they depend on.
            if run > 0 {
                *least = least.min(children()? - before);
            }
        }
    }
    Ok(least)
}

fn cargo(place: &Path, flavour: Flavour, arguments: &[&str]) -> Result<()> {
    let output = Command::new("cargo")
        .args(arguments)
        .args(["--quiet", "--package", flavour.package(), "--target-dir", "target"])
        .env("CARGO_INCREMENTAL", "0")
        .current_dir(place)
        .output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into())
    }
}

/// Seconds of the processor in user mode that the children which have ended have taken.
fn children() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // After the name, which may hold spaces: the fourteenth field is `cutime`, in hundredths.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let hundredths: f64 = fields.split_whitespace().nth(13).ok_or("no cutime")?.parse()?;
    Ok(hundredths / 100.0)
}
