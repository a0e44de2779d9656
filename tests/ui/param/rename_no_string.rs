//! A name without quotes.

use paramtree::Module;

#[derive(Module)]
struct Net {
    #[param(rename = weight)]
    w: f64,
}

fn main() {}
