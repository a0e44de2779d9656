//! The picture: the record and its forecast above, the four components below, one axis of time.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use plotters::prelude::*;

use crate::band::Band;
use crate::kernel::Covariance;
use crate::model::Model;
use crate::picture::{self, Chart, Panel};
use crate::posterior::Posterior;
use crate::record::Record;

// Of Okabe and Ito's palette, which the colour-blind can tell apart.
const BLUE: RGBColor = RGBColor(0, 114, 178);
const GREEN: RGBColor = RGBColor(0, 158, 115);
const VERMILION: RGBColor = RGBColor(213, 94, 0);
const PURPLE: RGBColor = RGBColor(170, 80, 130);

const FONT: &str = "sans-serif";
const FIRST_YEAR: u32 = 1958;
const LAST_YEAR: u32 = 2030;
const POINTS_A_YEAR: u32 = 24;
/// The picture's width and height, at two units to a pixel.
const SIZE: (u32, u32) = (2400, 2540);
/// What the axis of time needs below a panel; only the first and the last panel have one.
const TIME_AXIS: u32 = 88;

/// One of the processes that the model adds up.
struct Component {
    title: String,
    color: RGBColor,
    covariance: fn(&Model, f64) -> f64,
    /// Added to its mean, ppm.
    offset: f64,
    /// Digits after the point in its labels.
    places: usize,
}

pub(crate) fn write(
    path: &Path,
    record: &Record,
    posterior: &Posterior<'_>,
) -> Result<(), Box<dyn Error>> {
    let years = years();
    let components = components(posterior.model(), record);
    picture::write(path, SIZE, |root| {
        let (above, mut below) = root.split_vertically(1040);
        draw_record(&above, &years, record, posterior)?;
        for (i, component) in components.iter().enumerate() {
            let is_last = i + 1 == components.len();
            let (panel, rest) = below.split_vertically(350 + if is_last { TIME_AXIS } else { 0 });
            below = rest;
            draw_component(&panel, component, is_last, &years, record, posterior)?;
        }
        Ok(())
    })
}

fn components(model: &Model, record: &Record) -> [Component; 4] {
    [
        Component {
            title: format!(
                "long-term trend (length scale {:.0} years)",
                model.trend.length
            ),
            color: BLUE,
            covariance: |model, lag| model.trend.at(lag),
            offset: record.mean,
            places: 0,
        },
        Component {
            title: format!(
                "seasonal cycle (period {} year, frozen)",
                model.seasonal.periodic.period
            ),
            color: GREEN,
            covariance: |model, lag| model.seasonal.at(lag),
            offset: 0.0,
            places: 0,
        },
        Component {
            title: format!(
                "medium-term irregularities (length scale {:.2} years)",
                model.medium.length
            ),
            color: VERMILION,
            covariance: |model, lag| model.medium.at(lag),
            offset: 0.0,
            places: 1,
        },
        Component {
            title: format!(
                "short-term variation (length scale {:.2} years)",
                model.short.length
            ),
            color: PURPLE,
            covariance: |model, lag| model.short.at(lag),
            offset: 0.0,
            places: 1,
        },
    ]
}

fn draw_record(
    panel: &Panel<'_>,
    years: &[f64],
    record: &Record,
    posterior: &Posterior<'_>,
) -> Result<(), Box<dyn Error>> {
    let mut prediction = posterior.predict(years, Model::at);
    // The band is that of a new measurement, which has noise of its own.
    for deviation in &mut prediction.deviation {
        *deviation = deviation.hypot(posterior.model().noise.sqrt());
    }
    let band = Band::new(years, &prediction, record.mean);

    let mut chart = ChartBuilder::on(panel)
        .caption("Atmospheric CO₂ at Mauna Loa, forecast to 2030", (FONT, 52))
        .margin(16)
        .margin_right(56)
        .x_label_area_size(TIME_AXIS)
        .y_label_area_size(140)
        .build_cartesian_2d(time_range(), 300.0..430.0)?;
    draw_axes(&mut chart, "CO₂ (ppm)", 0, true)?;
    draw_end(&mut chart, record)?;
    let end = (end_of(record) + 0.5, 427.0);
    chart.draw_series([Text::new("forecast", end, (FONT, 32))])?;
    chart
        .draw_series([band.area(BLUE)])?
        .label("95 % band of a monthly mean")
        .legend(|(x, y)| Rectangle::new([(x, y - 12), (x + 48, y + 12)], BLUE.mix(0.25).filled()));
    chart
        .draw_series(LineSeries::new(band.mean(), BLUE.stroke_width(2)))?
        .label("posterior mean")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 48, y)], BLUE.stroke_width(4)));
    let measured = record.years().zip(&record.deviations);
    chart
        .draw_series(measured.map(|(year, deviation)| {
            Circle::new((year, record.mean + deviation), 2, BLACK.filled())
        }))?
        .label("measured monthly mean")
        .legend(|(x, y)| Circle::new((x + 24, y), 4, BLACK.filled()));
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .margin(24)
        .legend_area_size(60)
        .label_font((FONT, 32))
        .background_style(WHITE)
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

fn draw_component(
    panel: &Panel<'_>,
    component: &Component,
    with_time_axis: bool,
    years: &[f64],
    record: &Record,
    posterior: &Posterior<'_>,
) -> Result<(), Box<dyn Error>> {
    let prediction = posterior.predict(years, component.covariance);
    let band = Band::new(years, &prediction, component.offset);
    let mut chart = ChartBuilder::on(panel)
        .caption(&component.title, (FONT, 36))
        .margin(16)
        .margin_right(56)
        .x_label_area_size(if with_time_axis { TIME_AXIS } else { 0 })
        .y_label_area_size(140)
        .build_cartesian_2d(time_range(), band.range())?;
    draw_axes(&mut chart, "ppm", component.places, with_time_axis)?;
    draw_end(&mut chart, record)?;
    chart.draw_series([band.area(component.color)])?;
    chart.draw_series(LineSeries::new(
        band.mean(),
        component.color.stroke_width(2),
    ))?;
    Ok(())
}

fn draw_axes(
    chart: &mut Chart<'_, '_>,
    quantity: &str,
    places: usize,
    with_time_axis: bool,
) -> Result<(), Box<dyn Error>> {
    let mut mesh = chart.configure_mesh();
    if with_time_axis {
        mesh.x_desc("year");
    }
    mesh.x_labels(15)
        .y_labels(7)
        .x_label_formatter(&|year| format!("{year:.0}"))
        .y_label_formatter(&|ppm| format!("{ppm:.places$}"))
        .y_desc(quantity)
        .label_style((FONT, 30))
        .axis_desc_style((FONT, 34))
        .bold_line_style(BLACK.mix(0.12))
        .light_line_style(TRANSPARENT)
        .draw()?;
    Ok(())
}

/// A dashed line where the record ends and the forecast begins.
fn draw_end(chart: &mut Chart<'_, '_>, record: &Record) -> Result<(), Box<dyn Error>> {
    let end = end_of(record);
    let ppm = chart.y_range();
    let style = BLACK.mix(0.6).stroke_width(2);
    let line = [(end, ppm.start), (end, ppm.end)];
    chart.draw_series(DashedLineSeries::new(line, 10, 8, style))?;
    Ok(())
}

/// The years at which the curves are drawn.
fn years() -> Vec<f64> {
    (0..=(LAST_YEAR - FIRST_YEAR) * POINTS_A_YEAR)
        .map(|point| f64::from(FIRST_YEAR) + f64::from(point) / f64::from(POINTS_A_YEAR))
        .collect()
}

fn time_range() -> Range<f64> {
    f64::from(FIRST_YEAR)..f64::from(LAST_YEAR)
}

/// When the last measurement was made.
fn end_of(record: &Record) -> f64 {
    record.years().next_back().unwrap_or(f64::from(LAST_YEAR))
}
