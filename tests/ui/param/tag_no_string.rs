//! A group that is no string.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(tag = 1)]
    w: f64,
}

fn main() {}
