//! Derivatives by finite differences, of five points.

use paramtree::Error;

/// How far apart the points are. The rounding errors grow as this shrinks, the formula's own error
/// falls with its fourth power.
const STEP: f64 = 1e-3;

/// (f(x - 2h) - 8 f(x - h) + 8 f(x + h) - f(x + 2h)) / 12h, with h along one coordinate, for a
/// function that has one value or many.
pub(crate) fn along(
    coordinate: usize,
    x: &[f64],
    function: impl Fn(&[f64]) -> Result<Vec<f64>, Error>,
) -> Result<Vec<f64>, Error> {
    let mut sums = Vec::new();
    for (steps, factor) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
        let mut x = x.to_vec();
        x[coordinate] += steps * STEP;
        let values = function(&x)?;
        sums.resize(values.len(), 0.0);
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += factor * value / (12.0 * STEP);
        }
    }
    Ok(sums)
}
