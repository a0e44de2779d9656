//! A value without its key.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param("kernel")]
    w: f64,
}

fn main() {}
