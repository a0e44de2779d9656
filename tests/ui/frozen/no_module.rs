//! A frozen field is listed and saved: its type must be a module.

use paramtree::Module;

struct Rng(u64);

#[derive(Module)]
struct Net {
    #[frozen]
    rng: Rng,
}

fn main() {}
