//! Keys that need a value.

use paramtree::Module;

#[derive(Module)]
#[module(crate, bound = )]
struct Net {
    w: f64,
}

fn main() {}
