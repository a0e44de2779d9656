//! A key that takes no value.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(skip = true)]
    w: f64,
}

fn main() {}
