//! Types that say by themselves how their content stands in the tree.

mod constrained;
mod frozen;
mod kept;
mod reparam;
mod weight_norm;

pub use self::constrained::Constrained;
pub use self::frozen::Frozen;
pub use self::reparam::{Parameterization, Reparam};
pub use self::weight_norm::WeightNorm;
