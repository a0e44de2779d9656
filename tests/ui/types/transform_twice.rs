//! A transform on what has one by its type

use paramtree::transform::{Positive, UnitInterval};
use paramtree::{Constrained, Module};

#[derive(Module)]
struct Net {
    #[param(transform = Positive)]
    w: Constrained<f64, UnitInterval>,
}

fn main() {}
