//! Once is enough.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[frozen]
    #[frozen]
    w: f64,
}

fn main() {}
