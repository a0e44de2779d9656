//! A component, as an ellipse in the plane of two axes.

use std::f64::consts::TAU;

use crate::model::Mixture;

/// Standard deviations from the centre to the line: 86 % of a component's points are inside.
const REACH: f64 = 2.0;
const POINTS: u32 = 180;

/// The ellipse of a component along the first axis and another.
pub(crate) fn outline(mixture: &Mixture, component: usize, axis: usize) -> Vec<(f64, f64)> {
    let (centres, root) = (mixture.centres(), mixture.spread.root());
    // The first row of a Cholesky factor has one entry, and the rest of another row only says how
    // far that axis goes its own way.
    let (width, shared) = (root[[0, 0]], root[[axis, 0]]);
    let own = root
        .row(axis)
        .iter()
        .skip(1)
        .fold(0.0, |a: f64, &b| a.hypot(b));
    (0..=POINTS)
        .map(|point| {
            let (sine, cosine) = (TAU * f64::from(point) / f64::from(POINTS)).sin_cos();
            (
                centres[[component, 0]] + REACH * width * cosine,
                centres[[component, axis]] + REACH * (shared * cosine + own * sine),
            )
        })
        .collect()
}
