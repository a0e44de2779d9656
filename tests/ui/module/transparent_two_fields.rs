//! Which of the two would it be?

use paramtree::Module;

#[derive(Module)]
#[module(transparent)]
struct Net {
    w: f64,
    b: f64,
}

fn main() {}
