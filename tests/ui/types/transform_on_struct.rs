//! A transform belongs on the fields of the struct, and of the enum.

use paramtree::Module;
use paramtree::transform::Positive;

#[derive(Module)]
struct Layer {
    w: f64,
}

#[derive(Module)]
enum Act {
    Prelu(f64),
}

#[derive(Module)]
struct Net {
    #[param(transform = Positive)]
    layer: Layer,
    #[param(transform = Positive)]
    act: Act,
}

fn main() {}
