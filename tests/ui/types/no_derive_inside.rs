//! Types that forgot their derive, within others.

use paramtree::Module;

struct Layer {
    w: f64,
}

#[derive(Module)]
struct Net {
    layers: Vec<Layer>,
    head: Option<Box<(f64, Layer)>>,
}

fn main() {}
