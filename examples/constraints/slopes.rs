//! Holds the gradient against finite differences of the density, coordinate by coordinate.

use std::error::Error;

use crate::checks::Checks;
use crate::differences;
use crate::posterior::Posterior;

/// The largest relative error that rounding explains: a log-density near -20,000 is known to some
/// 1e-11, and the differences divide that by their step of 1e-3.
const TOLERANCE: f64 = 1e-7;

pub(crate) fn compare(
    posterior: &Posterior<'_>,
    x: &[f64],
    checks: &mut Checks,
) -> Result<(), Box<dyn Error>> {
    let ours = posterior.at(x)?.gradient;
    println!(
        "{:<24} {:>16} {:>16} {:>9}",
        "unconstrained coordinate", "gradient", "differences", "error"
    );
    let mut worst = 0.0_f64;
    for (at, name) in posterior.layout().names().iter().enumerate() {
        let slope = ours[at];
        let expected = differences::along(at, x, |x| Ok(vec![posterior.at(x)?.sum()]))?[0];
        let error = (slope - expected).abs() / expected.abs().max(1.0);
        worst = worst.max(error);
        println!("{name:<24} {slope:>16.8} {expected:>16.8} {error:>9.1e}");
    }
    let fact = format!("the worst relative error is {worst:.1e}, at most {TOLERANCE:e}");
    checks.expect(worst <= TOLERANCE, &fact);
    Ok(())
}
