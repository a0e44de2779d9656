//! Pictures, as SVG.

use std::error::Error;
use std::fs;
use std::path::Path;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

pub(crate) type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(crate) type Chart<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Writes what is drawn on white. Plotters places everything at whole units, so the picture is
/// shown at half its size: with one unit to a pixel, a curve that hardly rises is drawn as stairs.
pub(crate) fn write(
    path: &Path,
    (width, height): (u32, u32),
    draw: impl FnOnce(&Panel<'_>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        root.fill(&WHITE)?;
        draw(&root)?;
        root.present()?;
    }
    let drawn = format!("width=\"{width}\" height=\"{height}\"");
    let shown = format!("width=\"{}\" height=\"{}\"", width / 2, height / 2);
    fs::write(path, svg.replacen(&drawn, &shown, 1))?;
    Ok(())
}
