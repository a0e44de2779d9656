//! An attribute that says nothing.

use paramtree::Module;

#[derive(Module)]
#[module()]
struct Net {
    w: f64,
}

#[derive(Module)]
#[module]
struct Layer {
    w: f64,
}

fn main() {}
