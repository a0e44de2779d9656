//! The transforms: exact to the edges, refusing what they cannot take.

mod cases;
mod composition;
mod dual;
#[path = "../shared/exact_json.rs"]
mod exact_json;
mod exactness;
mod extremes;
mod fixture;
mod jacobian;
mod leaves;
mod matrices;
mod matrix_properties;
mod matrix_traps;
mod measure;
mod precision;
mod properties;
mod shapes;
mod single;
mod stacked;
mod structured;
mod table;
mod traps;
mod weight_norm;

use paramtree::Refusal;
use paramtree::transform::Transform;

/// The natural value of one coordinate.
fn constrain<T: Copy>(transform: &(impl Transform<T> + ?Sized), x: T) -> T {
    let mut y = [x];
    transform.constrain(&[x], &mut y, &[]);
    y[0]
}

/// The coordinate of one natural value.
fn unconstrain<T: Copy>(transform: &(impl Transform<T> + ?Sized), y: T) -> Result<T, Refusal> {
    let mut x = [y];
    transform.unconstrain(&[y], &mut x, &[])?;
    Ok(x[0])
}
