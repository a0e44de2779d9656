//! Tuples are modules up to ten members.

use paramtree::Module;

#[derive(Module)]
struct Net {
    w: (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64),
}

fn main() {}
