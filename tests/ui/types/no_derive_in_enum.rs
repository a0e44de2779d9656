//! A config type in a variant.

use paramtree::Module;

struct Config {
    depth: usize,
}

#[derive(Module)]
enum Act {
    Relu,
    Custom(f64, Config),
}

fn main() {}
