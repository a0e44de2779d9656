//! Two keys in a row.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(transform = Positive tag = "kernel")]
    w: f64,
}

fn main() {}
