//! The attribute of a field, on the struct.

use paramtree::Module;

#[derive(Module)]
#[param(transform = Positive)]
struct Net {
    w: f64,
}

fn main() {}
