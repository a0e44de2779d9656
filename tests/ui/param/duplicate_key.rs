//! A key twice, in one attribute and in two.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(transform = Positive, transform = Positive)]
    w: f64,
    #[param(tag = "kernel")]
    #[param(tag = "noise")]
    b: f64,
}

fn main() {}
