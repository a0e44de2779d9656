//! Expressions that are no transforms.

use paramtree::Module;

struct Bound(f64);

#[derive(Module)]
struct Net {
    #[param(transform = Bound(1.0))]
    w: f64,
    #[param(transform = 1.0 + 2.0)]
    b: f64,
}

fn main() {}
