//! Fits a Bayesian mixture of Gaussians to points drawn from one that is known: weights on the
//! simplex, ordered centres, the Cholesky factor of a correlation matrix and a frozen prior.
//!
//! ```sh
//! cargo run --release --example constraints    # writes target/constraints.svg
//! ```
//!
//! `model.rs` is where paramtree is asked for something, `posterior.rs` where it answers. The
//! density that is maximised is that of the unconstrained coordinates, with the Jacobian of the
//! transforms: what a sampler would be given.

// Facts are checked and said as in the other example.
#[path = "../shared/checks.rs"]
mod checks;
mod components;
#[path = "../shared/differences.rs"]
mod differences;
mod ellipse;
mod fit;
mod laplace;
mod likelihood;
mod model;
#[path = "../shared/picture.rs"]
mod picture;
mod plot;
mod posterior;
mod prior;
mod quantity;
mod recovery;
mod simulate;
mod slopes;
mod triangular;

use std::error::Error;
use std::fs;
use std::path::Path;

use paramtree::Summarize;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

use checks::Checks;
use laplace::Laplace;
use model::Mixture;
use plot::Scene;
use posterior::Posterior;

const POINTS: usize = 3000;
const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let mut random = Pcg64::seed_from_u64(SEED);
    let truth = simulate::truth();
    let points = simulate::draw(&truth, POINTS, &mut random)?;
    let mut checks = Checks::default();

    let start = Mixture::start();
    println!("the start\n\n{}", start.summary());
    let posterior = Posterior::new(start.clone(), &points)?;
    let x: Vec<f64> = posterior.layout().flatten(&start)?;

    println!("the gradient, near the start\n");
    // At the start itself everything is symmetric, and mistakes could cancel.
    let step = simulate::standard_normal(x.len(), &mut random);
    let near: Vec<f64> = x.iter().zip(step).map(|(x, step)| x + 0.3 * step).collect();
    slopes::compare(&posterior, &near, &mut checks)?;

    println!("\nthe fit\n");
    println!("log-posterior at the start {}", posterior.at(&x)?);
    let mode = fit::fit(&posterior, x)?;
    println!("log-posterior at the mode  {}", posterior.at(&mode)?);

    println!("\nthe mixture\n");
    let fitted = posterior.mixture(&mode)?;
    let laplace = Laplace::new(&posterior, &mode)?;
    let rows = recovery::rows(&start, &truth, &fitted, &laplace)?;
    recovery::compare(&rows, &mut checks);

    println!("\nthe constraints\n");
    recovery::invariants(&start, &fitted, posterior.layout(), &mode, &mut checks)?;

    let scene = Scene {
        points: &points,
        start: &start,
        truth: &truth,
        fitted: &fitted,
        rows: &rows,
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let picture = root.join("target/constraints.svg");
    // Cargo may have been told to build elsewhere.
    fs::create_dir_all(root.join("target"))?;
    plot::write(&picture, &scene)?;
    println!("\nwrote {}", picture.display());
    checks.finish()
}
