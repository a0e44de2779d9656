//! A bound that is none.

use paramtree::Module;

#[derive(Module)]
#[module(bound = "T is Module")]
struct Net<T> {
    w: T,
}

fn main() {}
