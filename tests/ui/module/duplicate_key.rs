//! A key in two attributes.

use paramtree::Module;

#[derive(Module)]
#[module(bound = "T: Module")]
#[module(bound = "T: Module")]
struct Net<T> {
    w: T,
}

fn main() {}
