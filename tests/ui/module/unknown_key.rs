//! A key that `#[module]` does not have.

use paramtree::Module;

#[derive(Module)]
#[module(name = "net")]
struct Net {
    w: f64,
}

fn main() {}
