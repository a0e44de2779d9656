//! A value without its `=`.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(transform(Positive))]
    w: f64,
}

fn main() {}
