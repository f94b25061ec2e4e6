//! A thousand clients and a server that is down, with five ways to retry:
//!
//! ```sh
//! cargo run --example storm
//! ```
//!
//! All of it is virtual time, so a minute and a half takes a moment. It prints how many requests
//! arrive in 100 ms, draws the same as an SVG (`cargo run --example storm -- chart.svg` says where),
//! and then what a budget and a breaker let through in an outage. The numbers are the same in every
//! run. What the clients do is in `scenario.rs`, which is what to read.

pub(crate) mod chart;
pub(crate) mod figures;
mod progress;
pub(crate) mod scenario;
mod server;
pub(crate) mod svg;

use std::env;
use std::error::Error;
use std::path::PathBuf;

use progress::Progress;
use scenario::Scenario;

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).map_or_else(|| "target/storm.svg".into(), PathBuf::from);

    let mut runs = Vec::new();
    for scenario in Scenario::all() {
        let progress = Progress::new(scenario.name);
        runs.push(scenario.run(|done| progress.show(done))?);
        progress.end();
    }
    println!("requests in 100 ms, the most in each column; the server crashes at every ×\n");
    for run in &runs {
        println!("{}", chart::of(run));
    }
    println!("{}", chart::totals(&runs));

    svg::draw(&file, &runs)?;
    println!("drawn in {}\n", file.display());

    let progress = Progress::new("figures");
    let figures = figures::Figures::compute(|done| progress.show(done))?;
    progress.end();
    println!("{figures}");
    Ok(())
}
