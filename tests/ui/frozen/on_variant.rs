//! It belongs on the fields of the variant.

use paramtree::Module;

#[derive(Module)]
enum Act {
    #[frozen]
    Prelu(f64),
}

fn main() {}
