//! All mistakes of a struct in one build, and nothing that follows from them.

use paramtree::Module;

struct NoModule;

#[derive(Module)]
#[module(bounds = "")]
struct Net {
    #[frozen]
    #[frozen]
    a: f64,
    #[param(transform = "Positive", skipp)]
    b: f64,
    #[param(tag = "x", tag = "y", colour = "red", skip = 1, rename = "")]
    c: f64,
    #[module(bound = "")]
    d: String,
    e: NoModule,
}

#[derive(Module)]
struct Uses {
    net: Net,
}

fn is_module(_: &impl Module) {}

fn uses(net: &Net) {
    is_module(net);
}

fn main() {}
