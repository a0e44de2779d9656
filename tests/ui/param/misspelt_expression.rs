//! A transform that is not there.

use paramtree::Module;
use paramtree::transform::Positive;

#[derive(Module)]
struct Net {
    #[param(transform = Positve)]
    w: f64,
    #[param(transform = Positive)]
    b: f64,
}

fn main() {}
