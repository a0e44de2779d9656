//! A transform on shared storage.

use std::sync::Arc;

use paramtree::Module;
use paramtree::transform::Positive;

#[derive(Module)]
struct Net {
    #[frozen]
    #[param(transform = Positive)]
    table: Arc<f64>,
}

fn main() {}
