//! The attribute of the struct, on a field.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[module(transparent)]
    w: f64,
}

fn main() {}
