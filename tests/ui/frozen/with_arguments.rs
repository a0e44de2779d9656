//! It takes no arguments.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[frozen(always)]
    w: f64,
    #[frozen = true]
    b: f64,
}

fn main() {}
