//! Keys that need a value.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(transform)]
    w: f64,
    #[param(transform = )]
    b: f64,
    #[param(tag =, rename)]
    c: f64,
}

fn main() {}
