//! Storage that must be locked to be read.

use std::sync::Mutex;

use paramtree::Module;

#[derive(Module)]
struct Net {
    w: Mutex<f64>,
}

fn main() {}
