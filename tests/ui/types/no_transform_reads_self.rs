//! What is no transform, from a field.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(transform = self.scale)]
    w: f64,
    #[param(skip)]
    scale: u8,
}

fn main() {}
