//! Attributes that say nothing.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param()]
    w: f64,
    #[param]
    b: f64,
    #[param = "bias"]
    c: f64,
}

fn main() {}
