//! Keys of `#[module]`, on a field.

use paramtree::Module;

#[derive(Module)]
struct Net<T> {
    #[param(bound = "T: Module")]
    w: T,
}

fn main() {}
