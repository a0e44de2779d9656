//! Borrowed arrays that are not frozen.

use ndarray::Array2;
use paramtree::Module;

#[derive(Module)]
struct Net<'a> {
    x: &'a Array2<f64>,
    y: &'a [f64],
}

fn main() {}
