//! Holds what was found against what scikit-learn finds.

use std::error::Error;

use paramtree::Layout;

use crate::checks::Checks;
use crate::fit::Fit;
use crate::model::Model;
use crate::posterior::Posterior;
use crate::record::Record;
use crate::reference::Reference;

/// How many times longer scikit-learn must take.
const SPEEDUP: f64 = 10.0;

/// The log marginal likelihood before the fit, and its gradient.
pub(crate) fn start(
    model: &Model,
    record: &Record,
    reference: &Reference,
    checks: &mut Checks,
) -> Result<(), Box<dyn Error>> {
    let mut posterior = Posterior::new(model, record)?;
    let layout = Layout::of(model)?;
    let gradient: Vec<f64> = layout.pullback(model, &posterior.gradient())?;

    heading("slope along the logarithm of", "difference");
    let mut worst = 0.0_f64;
    for ((leaf, at), theirs) in layout.iter().zip(&reference.start_gradient) {
        let ours = gradient[at.start];
        let difference = (ours / theirs - 1.0).abs();
        worst = worst.max(difference);
        println!(
            "{:<30} {ours:>15.9} {theirs:>15.9} {difference:>12.1e}",
            leaf.path()
        );
    }
    checks.expect(
        gradient.len() == reference.start_gradient.len() && worst < 1e-6,
        &format!(
            "{} slopes, off by {worst:.1e} of their size at most",
            gradient.len()
        ),
    );
    let start = posterior.log_marginal_likelihood();
    let difference = (start - reference.start).abs();
    checks.expect(
        difference < 1e-6,
        &format!("log marginal likelihood {start:.10}, off by {difference:.1e}"),
    );
    Ok(())
}

/// The log marginal likelihood after the fit, and where it is.
pub(crate) fn optimum(
    model: &Model,
    fit: &Fit,
    reference: &Reference,
    checks: &mut Checks,
) -> Result<(), Box<dyn Error>> {
    let layout = Layout::of(model)?;
    let found: Vec<f64> = layout.flatten(model)?;
    heading("hyperparameter", "");
    for ((leaf, at), theirs) in layout.iter().zip(&reference.optimum_log_theta) {
        let (ours, theirs) = (found[at.start].exp(), theirs.exp());
        println!("{:<30} {ours:>15.6} {theirs:>15.6}", leaf.path());
    }
    println!("{model}");
    checks.expect(
        model.to_string() == reference.optimum_kernel,
        "the kernel is the published one in all digits that scikit-learn prints",
    );
    let optimum = fit.log_marginal_likelihood;
    checks.expect(
        optimum >= -115.0510,
        &format!(
            "log marginal likelihood {optimum:.6}, scikit-learn's {:.6}",
            reference.optimum
        ),
    );
    Ok(())
}

/// How long the fit took; `measured` is how long scikit-learn's took on this machine, if known.
pub(crate) fn time(fit: &Fit, reference: &Reference, measured: Option<f64>, checks: &mut Checks) {
    let ours = fit.time.as_secs_f64();
    println!(
        "fitted in {ours:.3} s: {} iterations, {} evaluations",
        fit.iterations, fit.evaluations
    );
    let recorded = Some((reference.seconds, "as recorded with the reference"));
    let measured = measured.map(|seconds| (seconds, "on this machine, just now"));
    for (theirs, when) in [recorded, measured].into_iter().flatten() {
        let times = theirs / ours;
        let fact = format!("scikit-learn took {theirs:.3} s {when}: {times:.1} times as long");
        if cfg!(debug_assertions) {
            println!("       {fact} (not compared: no release build)");
        } else {
            checks.expect(times >= SPEEDUP, &fact);
        }
    }
}

fn heading(what: &str, last: &str) {
    let line = format!(
        "{what:<30} {:>15} {:>15} {last:>12}",
        "paramtree", "scikit-learn"
    );
    println!("{}", line.trim_end());
}
