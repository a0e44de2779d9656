//! A generic struct of something that is no module.

use paramtree::Module;

struct NoModule;

#[derive(Module)]
struct Net<T> {
    w: T,
}

fn is_module(_: &impl Module) {}

fn uses(net: &Net<NoModule>) {
    is_module(net);
}

fn main() {}
