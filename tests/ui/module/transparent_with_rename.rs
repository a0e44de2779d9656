//! A name for a field that has none.

use paramtree::Module;

#[derive(Module)]
#[module(transparent)]
struct Net {
    #[param(rename = "weight")]
    w: f64,
}

fn main() {}
