//! Holds the fitted mixture against the one that drew the points.

use std::error::Error;

use paramtree::Layout;

use crate::checks::Checks;
use crate::laplace::Laplace;
use crate::model::Mixture;
use crate::quantity;

/// How many standard deviations an estimate may be off. One estimate in 16,000 is further off than
/// that by chance.
pub(crate) const REACH: f64 = 4.0;

/// How far a sum or a length of three numbers may be from one.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A quantity's truth beside what was found.
pub(crate) struct Row {
    pub(crate) name: String,
    start: f64,
    truth: f64,
    estimate: f64,
    deviation: f64,
}

impl Row {
    /// How far the estimate is from the truth, in standard deviations.
    pub(crate) fn off(&self) -> f64 {
        (self.estimate - self.truth) / self.deviation
    }

    /// How far the start was.
    fn start_off(&self) -> f64 {
        (self.start - self.truth) / self.deviation
    }
}

pub(crate) fn rows(
    start: &Mixture,
    truth: &Mixture,
    fitted: &Mixture,
    laplace: &Laplace<'_>,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let (start, truth) = (quantity::of(start), quantity::of(truth));
    let rows = quantity::of(fitted).into_iter().zip(start).zip(truth);
    rows.map(|((fitted, start), truth)| {
        Ok(Row {
            start: start.value,
            truth: truth.value,
            estimate: fitted.value,
            deviation: laplace.deviation(&fitted)?,
            name: fitted.name,
        })
    })
    .collect()
}

pub(crate) fn compare(rows: &[Row], checks: &mut Checks) {
    println!(
        "{:<18} {:>8} {:>8} {:>8} {:>8} {:>9}",
        "", "start", "truth", "estimate", "sd", "off by sd"
    );
    for row in rows {
        println!(
            "{:<18} {:>8.4} {:>8.4} {:>8.4} {:>8.4} {:>+9.2}",
            row.name,
            row.start,
            row.truth,
            row.estimate,
            row.deviation,
            row.off()
        );
    }
    // Counted so that not a number is not within reach.
    let within = |off: fn(&Row) -> f64| rows.iter().filter(|row| off(row).abs() <= REACH).count();
    let (count, near, found) = (rows.len(), within(Row::start_off), within(Row::off));
    checks.expect(
        2 * near < count,
        &format!("{near} of {count} numbers started within {REACH} sd of the truth"),
    );
    let farthest = rows.iter().map(|row| row.off().abs()).fold(0.0, f64::max);
    checks.expect(
        found == count,
        &format!("{found} of {count} were found there, the farthest {farthest:.2} sd off"),
    );
}

/// What the transforms promise of any point, and `#[frozen]` of any fit.
pub(crate) fn invariants(
    start: &Mixture,
    fitted: &Mixture,
    layout: &Layout,
    x: &[f64],
    checks: &mut Checks,
) -> Result<(), Box<dyn Error>> {
    let sum = fitted.weights.sum();
    checks.expect(
        (sum - 1.0).abs() <= ROUNDING,
        &format!("the weights {:.4} sum to {sum:?}", fitted.weights),
    );
    let increasing = fitted.location.iter().is_sorted_by(|a, b| a < b);
    checks.expect(
        increasing,
        &format!("the locations {:.4} increase", fitted.location),
    );
    let lengths = fitted
        .spread
        .factor
        .rows()
        .into_iter()
        .map(|row| row.dot(&row).sqrt());
    let lengths: Vec<f64> = lengths.collect();
    checks.expect(
        lengths
            .iter()
            .all(|length| (length - 1.0).abs() <= ROUNDING),
        &format!("the rows of the correlations' factor have the lengths {lengths:?}"),
    );
    checks.expect(
        fitted.prior == start.prior,
        &format!("the prior is frozen: η is {}, as it was", fitted.prior.eta),
    );
    let back: Vec<f64> = layout.flatten(fitted)?;
    let worst = back
        .iter()
        .zip(x)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    checks.expect(
        worst <= 1e-14,
        &format!("flattened again, its coordinates are off by {worst:.1e} at most"),
    );
    Ok(())
}
