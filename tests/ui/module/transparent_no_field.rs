//! Nothing to stand for.

use paramtree::Module;

#[derive(Module)]
#[module(transparent)]
struct Net {
    #[param(skip)]
    w: f64,
}

fn main() {}
