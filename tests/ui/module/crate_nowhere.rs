//! A path to nothing.

use paramtree::Module;

#[derive(Module)]
#[module(crate = nowhere::paramtree)]
struct Net {
    w: f64,
}

fn main() {}
