//! A key that takes no value.

use paramtree::Module;

#[derive(Module)]
#[module(transparent = true)]
struct Net {
    w: f64,
}

fn main() {}
