//! A derive belongs on a type.

#[derive(paramtree::Module)]
fn net() {}

fn main() {}
