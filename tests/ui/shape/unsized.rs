//! The walk knows no model without a size.

use paramtree::Module;

#[derive(Module)]
struct Net {
    w: f64,
    rest: dyn Fn(f64) -> f64,
}

fn main() {}
