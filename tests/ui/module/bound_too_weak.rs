//! A bound that does not do for a field.

use paramtree::Module;

#[derive(Module)]
#[module(bound = "")]
struct Net<T> {
    w: T,
}

fn main() {}
