//! The logarithm of the prior density, up to a constant, and its gradient in natural space.

use ndarray::{Array1, Array2};

use crate::model::Mixture;

/// Returns the log-prior, and adds its derivatives to `gradient`.
pub(crate) fn add(mixture: &Mixture, gradient: &mut Mixture) -> f64 {
    let Mixture {
        weights,
        location,
        offset,
        spread,
        prior,
    } = mixture;
    dirichlet(weights, &prior.concentration, &mut gradient.weights)
        + normal(location, prior.centre, &mut gradient.location)
        + normal(offset, prior.centre, &mut gradient.offset)
        // Of positive numbers, the same formula is a half-normal density.
        + normal(&spread.scale, prior.scale, &mut gradient.spread.scale)
        + lkj(&spread.factor, prior.eta, &mut gradient.spread.factor)
}

/// Σ (αₖ - 1) ln wₖ (Stan Functions Reference, "Dirichlet distribution").
fn dirichlet(weights: &Array1<f64>, alpha: &Array1<f64>, slopes: &mut Array1<f64>) -> f64 {
    let mut sum = 0.0;
    for ((weight, alpha), slope) in weights.iter().zip(alpha).zip(slopes) {
        sum += (alpha - 1.0) * weight.ln();
        *slope += (alpha - 1.0) / weight;
    }
    sum
}

/// -½ Σ (y / σ)².
fn normal<'a>(
    values: impl IntoIterator<Item = &'a f64>,
    deviation: f64,
    slopes: impl IntoIterator<Item = &'a mut f64>,
) -> f64 {
    let mut sum = 0.0;
    for (value, slope) in values.into_iter().zip(slopes) {
        sum -= 0.5 * (value / deviation).powi(2);
        *slope -= value / deviation.powi(2);
    }
    sum
}

/// Σ (K - k + 2η - 2) ln Lₖₖ over k ≥ 2, with k counted from one, for the factor L of K rows (Stan
/// Functions Reference, "Cholesky LKJ correlation distribution").
fn lkj(factor: &Array2<f64>, eta: f64, slopes: &mut Array2<f64>) -> f64 {
    let mut sum = 0.0;
    let mut exponent = 2.0 * eta - 2.0;
    // From the last row, where K - k is zero, up to the second.
    for row in (1..factor.nrows()).rev() {
        sum += exponent * factor[[row, row]].ln();
        slopes[[row, row]] += exponent / factor[[row, row]];
        exponent += 1.0;
    }
    sum
}
