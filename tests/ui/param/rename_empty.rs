//! A name without a letter.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(rename = "")]
    w: f64,
}

fn main() {}
