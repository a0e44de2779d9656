//! Integers are never trained.

use ndarray::Array1;
use paramtree::Module;
use paramtree::transform::Positive;

#[derive(Module)]
struct Net {
    #[param(transform = Positive)]
    w: Array1<i64>,
    #[param(transform = Positive)]
    n: Vec<u8>,
}

fn main() {}
