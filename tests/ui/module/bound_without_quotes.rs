//! A bound that is no string.

use paramtree::Module;

#[derive(Module)]
#[module(bound = T: Module)]
struct Net<T> {
    w: T,
}

fn main() {}
