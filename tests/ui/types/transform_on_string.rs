//! There is nothing to transform.

use paramtree::Module;
use paramtree::transform::Positive;

#[derive(Module)]
struct Net {
    #[param(transform = Positive)]
    name: String,
}

fn main() {}
