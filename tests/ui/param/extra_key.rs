//! A key behind a good one.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(transform = Positive, extra)]
    w: f64,
}

fn main() {}
