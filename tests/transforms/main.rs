//! The scalar transforms: exact to the edges, refusing what they cannot take.

mod cases;
mod composition;
mod dual;
mod exactness;
mod extremes;
mod fixture;
mod precision;
mod properties;
mod single;

use paramtree::Refusal;
use paramtree::transform::Transform;

/// The natural value of one coordinate.
fn constrain<T: Copy>(transform: &impl Transform<T>, x: T) -> T {
    let mut y = [x];
    transform.constrain(&[x], &mut y, &[]);
    y[0]
}

/// The coordinate of one natural value.
fn unconstrain<T: Copy>(transform: &impl Transform<T>, y: T) -> Result<T, Refusal> {
    let mut x = [y];
    transform.unconstrain(&[y], &mut x, &[])?;
    Ok(x[0])
}
