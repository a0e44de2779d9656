//! Trains a small network to read handwritten digits; then turns the pages sideways, and
//! fine-tunes it with the encoder frozen and thawed layer by layer.
//!
//! ```sh
//! cargo run --release --example digits    # writes target/digits.svg
//! ```
//!
//! `model.rs` is the network, `backward.rs` its gradient by hand, `train.rs` the optimiser, and
//! `fine_tune` below says what trains when. What does not must keep its bits, in spite of weight
//! decay and of momentum that is still loaded; otherwise the run fails.

mod backward;
// Facts are checked, and gradients held against differences, as in the other examples.
#[path = "../shared/checks.rs"]
mod checks;
#[path = "../shared/differences.rs"]
mod differences;
mod frozen;
mod images;
mod model;
mod phase;
#[path = "../shared/picture.rs"]
mod picture;
mod plot;
mod slopes;
mod table;
mod train;

use std::error::Error;
use std::fs;
use std::path::Path;

use paramtree::{Mask, Summary};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

use checks::Checks;
use images::{CLASSES, Digits, PIXELS, Task};
use model::{Net, Scaling};
use phase::Phase;
use train::Trainer;

const SEED: u64 = 1;
/// The share of the held-out digits that must be read.
const ENOUGH: f64 = 0.97;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut random = Pcg64::seed_from_u64(SEED);
    let mut checks = Checks::default();

    println!("the gradient, in a smaller network\n");
    slopes::compare(&mut random, &mut checks)?;

    let digits = Digits::read(&root.join("examples/data/digits.csv"))?;
    let upright = Task::upright(&digits, &mut random);
    let turned = upright.turned();

    println!("\nfrom nothing\n");
    let scaling = Scaling::of(&upright.train.images);
    let net = Net::new([PIXELS, 64, 32, CLASSES], scaling, &mut random);
    let mask = Mask::of(&net);
    println!("{}", Summary::of(&net, &mask)?);
    let mut trainer = Trainer::new(net, random)?;
    let first = trainer.run("all layers", &upright, &mask, 40)?;
    expect_accuracy(&first, &upright, &mut checks);

    println!("\nfine-tuned\n");
    let mut phases = vec![first];
    phases.extend(fine_tune(&mut trainer, mask, &turned)?);
    table::print(&phases, [&upright, &turned]);
    println!();
    expect_accuracy(&phases[phases.len() - 1], &turned, &mut checks);
    for phase in &phases {
        frozen::compare(phase, &mut checks);
    }

    let picture = root.join("target/digits.svg");
    // Cargo may have been told to build elsewhere.
    fs::create_dir_all(root.join("target"))?;
    plot::write(&picture, &phases)?;
    println!("\nwrote {}", picture.display());
    checks.finish()
}

/// The head alone, then from the top down. Each layer starts with moments of its own: those that
/// slept while it was frozen are of another task.
fn fine_tune(
    trainer: &mut Trainer,
    mut mask: Mask,
    task: &Task,
) -> Result<[Phase; 3], Box<dyn Error>> {
    mask.freeze("encoder")?;
    trainer.optimizer.forget("head")?;
    let head = trainer.run("head alone", task, &mask, 20)?;

    mask.thaw("encoder.1")?;
    trainer.optimizer.forget("encoder.1")?;
    let upper = trainer.run("+ encoder.1", task, &mask, 20)?;

    mask.thaw("encoder.0")?;
    trainer.optimizer.forget("encoder.0")?;
    let all = trainer.run("+ encoder.0", task, &mask, 40)?;
    Ok([head, upper, all])
}

fn expect_accuracy(phase: &Phase, task: &Task, checks: &mut Checks) {
    let share = phase::accuracy(&phase.after, &task.held_out);
    let count = task.held_out.count();
    let fact = format!("{share:.4} of {count} held-out digits are read, at least {ENOUGH}");
    checks.expect(share >= ENOUGH, &fact);
}
