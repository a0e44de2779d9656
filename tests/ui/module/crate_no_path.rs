//! What is no path.

use paramtree::Module;

#[derive(Module)]
#[module(crate = 1 + 1)]
struct Net {
    w: f64,
}

fn main() {}
