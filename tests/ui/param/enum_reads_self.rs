//! While a variant is walked, `self` is borrowed.

use paramtree::Module;

#[derive(Module)]
enum Act {
    Clipped {
        #[param(skip)]
        limit: f64,
        #[param(transform = Interval::new(0.0, self.limit))]
        slope: f64,
    },
}

fn main() {}
