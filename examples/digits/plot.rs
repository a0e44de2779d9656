//! The picture: the loss above, how far each layer has moved below, one axis of epochs.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::phase::{Epoch, Phase};
use crate::picture::{self, Chart, Panel};

// Of Okabe and Ito's palette, which the colour-blind can tell apart.
const BLUE: RGBColor = RGBColor(0, 114, 178);
const VERMILION: RGBColor = RGBColor(213, 94, 0);
const GREEN: RGBColor = RGBColor(0, 158, 115);
const LAYERS: [RGBColor; 3] = [BLUE, VERMILION, GREEN];

const FONT: &str = "sans-serif";
/// The picture's width and height, at two units to a pixel.
const SIZE: (u32, u32) = (2400, 1800);

/// A curve of the whole course, phase by phase.
struct Curve {
    name: String,
    color: RGBColor,
    /// The epoch of its first dash. Two that are frozen lie on each other, and so take turns.
    first_dash: usize,
    phases: Vec<Segment>,
}

/// A curve's part in a phase.
struct Segment {
    points: Vec<(f64, f64)>,
    /// Whether it is of something that trains.
    trains: bool,
}

pub(crate) fn write(path: &Path, phases: &[Phase]) -> Result<(), Box<dyn Error>> {
    picture::write(path, SIZE, |root| {
        let (above, below) = root.split_vertically(SIZE.1 / 2);
        draw_loss(&above, phases)?;
        draw_movement(&below, phases)?;
        Ok(())
    })
}

fn draw_loss(panel: &Panel<'_>, phases: &[Phase]) -> Result<(), Box<dyn Error>> {
    let curve = |name: &str, color, loss: fn(&Epoch) -> f64| Curve {
        name: name.to_owned(),
        color,
        first_dash: 0,
        phases: segments(phases, |_| true, |epoch| loss(epoch).log10()),
    };
    let curves = [
        curve("training", BLUE, |epoch| epoch.train_loss),
        curve("held out", VERMILION, |epoch| epoch.held_out_loss),
    ];
    let label = |log: &f64| format!("{}", 10_f64.powf(*log));
    let mut chart = chart(panel, "cross-entropy", phases, -2.5..1.9)?;
    draw_mesh(&mut chart, "loss", 5, &label)?;
    draw_phases(&mut chart, phases)?;
    curves.iter().try_for_each(|c| draw_curve(&mut chart, c))
}

fn draw_movement(panel: &Panel<'_>, phases: &[Phase]) -> Result<(), Box<dyn Error>> {
    let paths = phases.first().map(|phase| phase.before.paths());
    let curves = paths.into_iter().flatten().enumerate();
    let curves = curves.map(|(layer, name)| Curve {
        name,
        color: LAYERS[layer % LAYERS.len()],
        first_dash: layer % 2,
        phases: segments(phases, |p| p.trains[layer], |epoch| epoch.movement[layer]),
    });
    let title = "how far each layer has moved in a phase (dashed: frozen)";
    let mut chart = chart(panel, title, phases, -0.5..8.8)?;
    draw_mesh(&mut chart, "Euclidean norm", 10, &|norm| {
        format!("{norm:.0}")
    })?;
    draw_phases(&mut chart, phases)?;
    { curves }.try_for_each(|curve| draw_curve(&mut chart, &curve))
}

fn segments(
    phases: &[Phase],
    trains: impl Fn(&Phase) -> bool,
    value: impl Fn(&Epoch) -> f64,
) -> Vec<Segment> {
    let mut segments = Vec::new();
    for (phase, range) in phases.iter().zip(ranges(phases)) {
        let at = (0..).map(|epoch| range.start + f64::from(epoch));
        segments.push(Segment {
            points: at.zip(phase.epochs.iter().map(&value)).collect(),
            trains: trains(phase),
        });
    }
    segments
}

/// The epochs of each phase, in the whole course.
fn ranges(phases: &[Phase]) -> Vec<Range<f64>> {
    let mut start = 0.0;
    let range = |phase: &Phase| {
        let range = start..start + f64::from(phase.duration);
        start = range.end;
        range
    };
    phases.iter().map(range).collect()
}

fn chart<'a, 'b>(
    panel: &'a Panel<'b>,
    title: &str,
    phases: &[Phase],
    values: Range<f64>,
) -> Result<Chart<'a, 'b>, Box<dyn Error>> {
    let end = ranges(phases).last().map_or(1.0, |range| range.end);
    let chart = ChartBuilder::on(panel)
        .caption(title, (FONT, 40))
        .margin(16)
        .margin_right(160)
        .x_label_area_size(84)
        .y_label_area_size(130)
        .build_cartesian_2d(0.0..end, values)?;
    Ok(chart)
}

fn draw_mesh(
    chart: &mut Chart<'_, '_>,
    quantity: &str,
    labels: usize,
    label: &dyn Fn(&f64) -> String,
) -> Result<(), Box<dyn Error>> {
    chart
        .configure_mesh()
        .x_desc("epoch")
        .y_desc(quantity)
        .x_labels(13)
        .y_labels(labels)
        .x_label_formatter(&|epoch| format!("{epoch:.0}"))
        .y_label_formatter(&label)
        .label_style((FONT, 28))
        .axis_desc_style((FONT, 32))
        .bold_line_style(BLACK.mix(0.12))
        .light_line_style(TRANSPARENT)
        .draw()?;
    Ok(())
}

/// A line where each phase begins, and what it is, at the top.
fn draw_phases(chart: &mut Chart<'_, '_>, phases: &[Phase]) -> Result<(), Box<dyn Error>> {
    let values = chart.y_range();
    let line = values.end - values.start;
    let centred = Pos::new(HPos::Center, VPos::Center);
    let style = TextStyle::from((FONT, 30)).pos(centred);
    for (phase, range) in phases.iter().zip(ranges(phases)) {
        let middle = f64::midpoint(range.start, range.end);
        for (text, down) in [(phase.task, 0.06), (phase.name, 0.13)] {
            let at = (middle, values.end - down * line);
            chart.draw_series([Text::new(text, at, style.clone())])?;
        }
        let border = [values.start, values.end].map(|value| (range.start, value));
        chart.draw_series([PathElement::new(border, BLACK.stroke_width(2))])?;
    }
    Ok(())
}

/// Dashed where it is of something frozen; its name is where it ends.
fn draw_curve(chart: &mut Chart<'_, '_>, curve: &Curve) -> Result<(), Box<dyn Error>> {
    let style = curve.color.stroke_width(5);
    for Segment { points, trains } in &curve.phases {
        if *trains {
            chart.draw_series([PathElement::new(points.clone(), style)])?;
        } else {
            let dashes = points.windows(2).skip(curve.first_dash).step_by(2);
            chart.draw_series(dashes.map(|dash| PathElement::new(dash, style)))?;
        }
    }
    let end = curve.phases.last().and_then(|last| last.points.last());
    if let Some(&end) = end {
        let style = TextStyle::from((FONT, 30)).color(&curve.color);
        let name = Text::new(curve.name.clone(), (16, -16), style);
        chart.draw_series([EmptyElement::at(end) + name])?;
    }
    Ok(())
}
