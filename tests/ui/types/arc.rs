//! Shared storage that is not frozen.

use std::sync::Arc;

use paramtree::Module;

#[derive(Module)]
struct Net {
    table: Arc<Vec<f64>>,
}

fn main() {}
