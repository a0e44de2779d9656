//! Keys of `#[param]`, and the other attribute, on the struct.

use paramtree::Module;

#[derive(Module)]
#[module(rename = "net", frozen)]
struct Net {
    w: f64,
}

fn main() {}
