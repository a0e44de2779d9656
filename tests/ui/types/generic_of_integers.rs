//! A transform on a parameter that may be anything.

use paramtree::Module;
use paramtree::transform::Positive;

#[derive(Module)]
struct Net<T> {
    #[param(transform = Positive)]
    w: T,
}

fn is_module(_: &impl Module) {}

fn uses(net: &Net<i32>) {
    is_module(net);
}

fn main() {}
