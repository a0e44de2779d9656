//! A variant can only be renamed.

use paramtree::Module;

#[derive(Module)]
enum Act {
    #[param(rename = "prelu", transform = Positive)]
    Prelu(f64),
    #[param(skip)]
    Poly(Vec<f64>),
}

fn main() {}
