//! An attribute that is not there.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[forzen]
    w: f64,
}

fn main() {}
