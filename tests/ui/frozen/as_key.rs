//! An attribute, written as a key.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(frozen)]
    w: f64,
}

fn main() {}
