//! A variant is part of the path.

use paramtree::Module;

#[derive(Module)]
#[module(transparent)]
enum Act {
    Prelu(f64),
}

fn main() {}
