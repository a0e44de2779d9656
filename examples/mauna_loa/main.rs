//! Fits a Gaussian process with eleven trained hyperparameters and a frozen period to the CO₂
//! record of Mauna Loa, and holds the result against scikit-learn's.
//!
//! ```sh
//! cargo run --release --example mauna_loa    # writes target/mauna_loa.svg
//! benches/mauna_loa.sh                       # the same, and times scikit-learn beside it
//! ```
//!
//! `model.rs` is where paramtree is asked for something, `fit.rs` where it answers.

mod band;
#[path = "../shared/checks.rs"]
mod checks;
mod cholesky;
mod compare;
mod fit;
mod kernel;
mod model;
#[path = "../shared/picture.rs"]
mod picture;
mod plot;
mod posterior;
mod record;
mod reference;

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

use paramtree::Summarize;

use checks::Checks;
use model::Model;
use posterior::Posterior;
use record::Record;
use reference::Reference;

fn main() -> Result<(), Box<dyn Error>> {
    let sklearn_seconds = parse_arguments()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = root.join("examples/data");
    let record = Record::read(&data.join("mauna_loa_co2_monthly.csv"))?;
    let reference = Reference::read(&data.join("mauna_loa_reference.json"))?;
    let mut checks = Checks::default();

    let mut model = Model::start();
    let period = model.seasonal.periodic.period;
    println!("the start\n\n{}", model.summary());
    compare::start(&model, &record, &reference, &mut checks)?;

    println!("\nthe fit\n");
    let fit = fit::fit(&mut model, &record)?;

    println!("\nthe optimum\n\n{}", model.summary());
    compare::optimum(&model, &fit, &reference, &mut checks)?;
    let now = model.seasonal.periodic.period;
    checks.expect(
        now.to_bits() == period.to_bits(),
        &format!(
            "the period's bits are {:#x}, and were {:#x}",
            now.to_bits(),
            period.to_bits()
        ),
    );

    println!("\nthe time\n");
    compare::time(&fit, &reference, sklearn_seconds, &mut checks);

    let picture = root.join("target/mauna_loa.svg");
    // Cargo may have been told to build elsewhere.
    fs::create_dir_all(root.join("target"))?;
    plot::write(&picture, &record, &Posterior::new(&model, &record)?)?;
    println!("\nwrote {}", picture.display());
    checks.finish()
}

fn parse_arguments() -> Result<Option<f64>, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => Ok(None),
        [key, seconds] if key == "--sklearn-seconds" => Ok(Some(seconds.parse()?)),
        _ => Err("usage: mauna_loa [--sklearn-seconds SECONDS]".into()),
    }
}
