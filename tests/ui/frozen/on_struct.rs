//! It belongs on fields, of this struct or where the struct is used.

use paramtree::Module;

#[derive(Module)]
#[frozen]
struct Net {
    w: f64,
}

fn main() {}
