//! The attribute of the enum, on a variant.

use paramtree::Module;

#[derive(Module)]
enum Act {
    #[module(transparent)]
    Prelu(f64),
}

fn main() {}
