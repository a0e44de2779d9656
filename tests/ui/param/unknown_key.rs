//! A key that `#[param]` does not have.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(constraint = Positive)]
    w: f64,
}

fn main() {}
