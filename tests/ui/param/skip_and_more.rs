//! What is not in the tree has no transform, name, group or freezing.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(skip, transform = Positive)]
    w: f64,
    #[frozen]
    #[param(skip)]
    b: f64,
    #[param(rename = "bias", skip, tag = "bias")]
    c: f64,
}

fn main() {}
