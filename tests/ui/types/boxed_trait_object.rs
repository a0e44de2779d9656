//! Objects of a trait without the bridge.

use paramtree::Module;

trait Layer {}

#[derive(Module)]
struct Net {
    layers: Vec<Box<dyn Layer>>,
}

fn main() {}
