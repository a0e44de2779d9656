//! A path in quotes; it is taken all the same.

use paramtree::Module;

#[derive(Module)]
#[module(crate = "paramtree")]
struct Net {
    w: f64,
}

fn main() {}
