//! Shared storage that is not frozen, within a `Vec`.

use std::rc::Rc;

use paramtree::Module;

#[derive(Module)]
struct Net {
    tables: Vec<Rc<f64>>,
}

fn main() {}
