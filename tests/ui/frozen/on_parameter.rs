//! It belongs on fields.

use paramtree::Module;

#[derive(Module)]
struct Net<#[frozen] T> {
    w: T,
}

fn main() {}
