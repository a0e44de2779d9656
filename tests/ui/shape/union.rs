//! Nobody knows which field is live.

use paramtree::Module;

#[derive(Module)]
union Bits {
    float: f64,
    bits: u64,
}

fn main() {}
