//! Names that are taken: by a field, by a variant, by a position.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(rename = "b")]
    w: f64,
    b: f64,
}

#[derive(Module)]
enum Act {
    Relu,
    #[param(rename = "Relu")]
    Prelu(f64),
}

#[derive(Module)]
struct Pair(f64, #[param(rename = "0")] f64);

fn main() {}
