//! A group without a letter.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(tag = "")]
    w: f64,
}

fn main() {}
