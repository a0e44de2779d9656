//! Keys that are nearly right.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(transfrom = Positive)]
    w: f64,
    #[param(renam = "bias")]
    b: f64,
}

fn main() {}
