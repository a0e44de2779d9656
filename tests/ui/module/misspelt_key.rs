//! A key that is nearly right; its value is taken all the same.

use paramtree::Module;

#[derive(Module)]
#[module(crat = paramtree)]
struct Net {
    w: f64,
}

fn main() {}
