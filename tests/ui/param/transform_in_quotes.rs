//! An expression in quotes.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(transform = "Interval::new(0, 1)")]
    w: f64,
}

fn main() {}
