//! The picture: the points and the components in two planes, and each estimate beside its truth.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use ndarray::{Array1, Array2};
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use crate::components::Components;
use crate::ellipse;
use crate::model::Mixture;
use crate::picture::{self, Chart, Panel};
use crate::recovery::{REACH, Row};

// Of Okabe and Ito's palette, which the colour-blind can tell apart.
const COLORS: [RGBColor; 3] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
];
const BLUE: RGBColor = COLORS[0];
const GREY: RGBColor = RGBColor(120, 120, 120);

const FONT: &str = "sans-serif";
/// The picture's width and height, at two units to a pixel.
const SIZE: (u32, u32) = (2400, 1840);
/// The width of the panels of points.
const POINTS_WIDTH: u32 = 1360;

/// The lengths of dashes and of the gaps between them.
const DASH: (u32, u32) = (14, 10);
/// Standard deviations on either side that hold 95 %.
const BAND: f64 = 1.96;

/// What is drawn.
pub(crate) struct Scene<'a> {
    pub(crate) points: &'a Array2<f64>,
    pub(crate) start: &'a Mixture,
    pub(crate) truth: &'a Mixture,
    pub(crate) fitted: &'a Mixture,
    pub(crate) rows: &'a [Row],
}

pub(crate) fn write(path: &Path, scene: &Scene<'_>) -> Result<(), Box<dyn Error>> {
    picture::write(path, SIZE, |root| {
        let (left, right) = root.split_horizontally(POINTS_WIDTH);
        let (above, below) = left.split_vertically(SIZE.1 / 2);
        draw_points(&above, scene, 1, true)?;
        draw_points(&below, scene, 2, false)?;
        draw_estimates(&right, scene.rows)?;
        Ok(())
    })
}

/// The plane of the first axis and another.
fn draw_points(
    panel: &Panel<'_>,
    scene: &Scene<'_>,
    axis: usize,
    with_legend: bool,
) -> Result<(), Box<dyn Error>> {
    let title = format!("{} points along axes 0 and {axis}", scene.points.nrows());
    let mut chart = ChartBuilder::on(panel)
        .caption(title, (FONT, 40))
        .margin(16)
        .x_label_area_size(84)
        .y_label_area_size(110)
        .build_cartesian_2d(range(scene, 0), range(scene, axis))?;
    chart
        .configure_mesh()
        .x_desc("axis 0")
        .y_desc(format!("axis {axis}"))
        .label_style((FONT, 28))
        .axis_desc_style((FONT, 32))
        .bold_line_style(BLACK.mix(0.12))
        .light_line_style(TRANSPARENT)
        .draw()?;
    let mut components = Components::new(scene.fitted);
    chart.draw_series(scene.points.rows().into_iter().map(|point| {
        components.log_density(&point);
        let color = COLORS[likeliest(components.shares()) % COLORS.len()];
        Circle::new((point[0], point[axis]), 4, color.mix(0.3).filled())
    }))?;
    draw_components(&mut chart, scene, axis)?;
    if with_legend {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerLeft)
            .margin(16)
            .legend_area_size(70)
            .label_font((FONT, 28))
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.3))
            .draw()?;
    }
    Ok(())
}

/// The estimate's ellipses are in the colours of its points, and dashes of the truth lie on them.
fn draw_components(
    chart: &mut Chart<'_, '_>,
    scene: &Scene<'_>,
    axis: usize,
) -> Result<(), Box<dyn Error>> {
    let estimate = |component: usize| COLORS[component % COLORS.len()].stroke_width(7);
    for component in 0..scene.fitted.weights.len() {
        let outline = ellipse::outline(scene.fitted, component, axis);
        let series = LineSeries::new(outline, estimate(component));
        let drawn = chart.draw_series(series)?;
        if component == 0 {
            drawn
                .label("estimate, 2 sd")
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 60, y)], estimate(component)));
        }
    }
    let start = GREY.stroke_width(3);
    draw_dashed(chart, scene.truth, axis, "truth", BLACK.stroke_width(3))?;
    draw_dashed(chart, scene.start, axis, "start", start)
}

fn draw_dashed(
    chart: &mut Chart<'_, '_>,
    mixture: &Mixture,
    axis: usize,
    name: &str,
    style: ShapeStyle,
) -> Result<(), Box<dyn Error>> {
    let (dash, gap) = DASH;
    for component in 0..mixture.weights.len() {
        let outline = ellipse::outline(mixture, component, axis);
        let drawn = chart.draw_series(DashedLineSeries::new(outline, dash, gap, style))?;
        if component == 0 {
            drawn.label(name).legend(move |(x, y)| {
                DashedPathElement::new([(x, y), (x + 60, y)], dash, gap, style)
            });
        }
    }
    Ok(())
}

/// How far each estimate is from its truth.
fn draw_estimates(panel: &Panel<'_>, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    let mut chart = ChartBuilder::on(panel)
        .caption("estimate minus truth, with 95 % bars", (FONT, 40))
        .margin(16)
        .margin_right(40)
        .x_label_area_size(84)
        .y_label_area_size(240)
        .build_cartesian_2d(-5.0..5.0, (0..rows.len() - 1).into_segmented())?;
    let name = |row: &SegmentValue<usize>| match row {
        SegmentValue::CenterOf(row) => rows
            .iter()
            .rev()
            .nth(*row)
            .map_or(String::new(), |row| row.name.clone()),
        _ => String::new(),
    };
    chart
        .configure_mesh()
        .x_desc(format!(
            "posterior standard deviations (tolerance: {REACH})"
        ))
        .x_labels(11)
        .y_labels(rows.len())
        .x_label_formatter(&|off| format!("{off:.0}"))
        .y_label_formatter(&name)
        .label_style((FONT, 28))
        .axis_desc_style((FONT, 32))
        .bold_line_style(BLACK.mix(0.12))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (off, color) in [(0.0, BLACK), (-REACH, GREY), (REACH, GREY)] {
        let line = [(off, SegmentValue::Exact(0)), (off, SegmentValue::Last)];
        let (dash, gap) = DASH;
        chart.draw_series(DashedLineSeries::new(
            line,
            dash,
            gap,
            color.stroke_width(3),
        ))?;
    }
    for (at, row) in rows.iter().rev().enumerate() {
        let at = SegmentValue::CenterOf(at);
        let bar = [row.off() - BAND, row.off() + BAND].map(|off| (off, at.clone()));
        chart.draw_series([PathElement::new(bar, BLUE.stroke_width(5))])?;
        chart.draw_series([Circle::new((row.off(), at), 9, BLUE.filled())])?;
    }
    Ok(())
}

fn likeliest(shares: &Array1<f64>) -> usize {
    let by_share = |a: &(usize, &f64), b: &(usize, &f64)| a.1.total_cmp(b.1);
    shares
        .iter()
        .enumerate()
        .max_by(by_share)
        .map_or(0, |(k, _)| k)
}

/// What the points and the start span along an axis, with some air.
fn range(scene: &Scene<'_>, axis: usize) -> Range<f64> {
    let along = |(first, other): (f64, f64)| if axis == 0 { first } else { other };
    let start = (0..scene.start.weights.len())
        .flat_map(|component| ellipse::outline(scene.start, component, axis))
        .map(along);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in scene.points.column(axis).iter().copied().chain(start) {
        (low, high) = (low.min(value), high.max(value));
    }
    let air = 0.04 * (high - low);
    low - air..high + air
}
