//! A type that forgot its derive.

use paramtree::Module;

struct Layer {
    w: f64,
}

#[derive(Module)]
struct Net {
    layer: Layer,
}

fn main() {}
