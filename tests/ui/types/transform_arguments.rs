//! A constructor without its arguments.

use paramtree::Module;
use paramtree::transform::Interval;

#[derive(Module)]
struct Net {
    #[param(transform = Interval::new(0))]
    w: f64,
    #[param(transform = Interval::new)]
    b: f64,
}

fn main() {}
