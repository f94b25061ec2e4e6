//! The same as a drawing.

use std::error::Error;
use std::fs;
use std::path::Path;

use plotters::prelude::*;

use super::scenario::Run;
use super::server::{SLOT, WATCHED, crashes};

const SIZE: (u32, u32) = (960, 1100);
/// Of the scale, which is logarithmic.
const MOST: f64 = 20_000.0;
const COLOURS: [RGBColor; 5] = [
    RGBColor(192, 57, 43),
    RGBColor(211, 126, 34),
    RGBColor(41, 118, 185),
    RGBColor(39, 154, 96),
    RGBColor(125, 70, 160),
];

/// Writes one panel for each run, all of one scale, into the file.
pub(crate) fn draw(file: &Path, runs: &[Run]) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let root = root.titled("requests in 100 ms", ("sans-serif", 24))?;
    for ((panel, run), colour) in root.split_evenly((runs.len(), 1)).iter().zip(runs).zip(COLOURS) {
        let mut chart = ChartBuilder::on(panel)
            .caption(run.name, ("sans-serif", 18))
            .margin(6)
            .margin_right(24)
            .x_label_area_size(26)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..WATCHED.as_secs_f64(), (1.0..MOST).log_scale())?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(10)
            .x_label_formatter(&|time| format!("{time:.0} s"))
            .y_labels(5)
            .y_label_formatter(&|requests| format!("{requests:.0}"))
            .label_style(("sans-serif", 15))
            .light_line_style(TRANSPARENT)
            .draw()?;
        chart.draw_series(crashes().map(|crash| {
            let at = crash.as_secs_f64();
            PathElement::new([(at, 1.0), (at, MOST)], BLACK.mix(0.25))
        }))?;
        let bars = run.requests.iter().zip(0_u32..).filter(|(requests, _)| **requests > 0);
        chart.draw_series(bars.map(|(&requests, slot)| {
            let (from, to) = (SLOT * slot, SLOT * (slot + 1));
            // The scale begins at 1, and one request is to be seen too.
            let top = f64::from(requests).max(1.2);
            let corners = [(from.as_secs_f64(), 1.0), (to.as_secs_f64(), top)];
            Rectangle::new(corners, colour.filled())
        }))?;
    }
    root.present()?;
    Ok(())
}
