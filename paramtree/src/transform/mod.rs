//! Maps between natural values and the unconstrained coordinates that are optimised or sampled.
//!
//! | transform | natural values | map |
//! |---|---|---|
//! | [`Positive`] | (0, ∞) | exp x |
//! | [`Softplus`] | (0, ∞) | ln(1 + exp x) |
//! | [`Lower::new`], [`Lower::softplus`] | (a, ∞) | a + exp x, a + softplus x |
//! | [`Upper::new`], [`Upper::softplus`] | (-∞, b) | b - exp x, b - softplus x |
//! | [`UnitInterval`] | (0, 1) | logistic x |
//! | [`Interval`] | (a, b) | a + (b - a) logistic x |
//! | [`Affine`] | (-∞, ∞) | loc + scale x |
//! | [`Chain`] | the second's | the first, then the second |
//!
//! A scalar map of your own implements [`Elementwise`]; what mixes elements implements
//! [`Transform`].
//!
//! Parameters are `f64` whatever the leaf's type, and whole numbers will do:
//!
//! ```
//! use paramtree::transform::{Interval, Transform};
//!
//! let angle = Interval::new(-90, 90);
//! let (mut single, mut double) = ([0.0_f32], [0.0_f64]);
//! angle.constrain(&[0.0], &mut single, &[]);
//! angle.constrain(&[800.0], &mut double, &[]);
//! assert_eq!((single[0], double[0]), (0.0, 89.99999999999999));
//! ```

mod affine;
mod chain;
mod elementwise;
mod half_line;
mod interval;
mod logistic;
mod positive;

pub use self::affine::Affine;
pub use self::chain::Chain;
pub use self::elementwise::Elementwise;
pub use self::half_line::{Lower, Upper};
pub use self::interval::{Interval, UnitInterval};
pub use self::positive::{Positive, Softplus};

use crate::refusal::Refusal;

/// A bijection between the natural values of a leaf and a flat vector of unconstrained coordinates.
///
/// `x` is always the unconstrained vector, `y` the natural values in row-major order and `shape`
/// their shape. `x` has the length that [`unconstrained_len`](Transform::unconstrained_len) gives
/// for `shape`, `y` the number of elements that `shape` has. The names follow Stan: `constrain`
/// goes from `x` to `y`, `unconstrain` back.
///
/// ```
/// use paramtree::transform::{Positive, Transform};
///
/// let (x, mut y) = ([0.0, 1.0], [0.0; 2]);
/// Positive.constrain(&x, &mut y, &[2]);
/// assert_eq!(y, [1.0, 1.0_f64.exp()]);
///
/// let mut back = [0.0; 2];
/// Positive.unconstrain(&y, &mut back, &[2])?;
/// assert_eq!(back, x);
///
/// assert_eq!(Positive.log_abs_det_jacobian(&x, &[2]), 1.0);
/// # Ok::<(), paramtree::Refusal>(())
/// ```
///
/// # Panics
///
/// Every method may panic if a slice has another length than `shape` asks for.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a transform of `{T}`",
    label = "not a transform",
    note = "a transform implements `Elementwise` or `Transform`, as those in `paramtree::transform` do"
)]
pub trait Transform<T> {
    /// What a table calls this transform: the type's name, unless it says more.
    fn name(&self) -> String {
        type_name::<Self>()
    }

    /// How many unconstrained coordinates natural values of this shape have.
    ///
    /// # Errors
    ///
    /// Refuses parameters that make no transform. The other methods rely on this check.
    fn unconstrained_len(&self, shape: &[usize]) -> Result<usize, Refusal>;

    /// Natural values of unconstrained coordinates, always inside the open domain.
    fn constrain(&self, x: &[T], y: &mut [T], shape: &[usize]);

    /// Unconstrained coordinates of natural values.
    ///
    /// # Errors
    ///
    /// Refuses values outside the open domain, and then leaves `x` as it was.
    fn unconstrain(&self, y: &[T], x: &mut [T], shape: &[usize]) -> Result<(), Refusal>;

    /// The pull-back of a gradient: `x_bar` becomes the transposed Jacobian at `x`, times `y_bar`.
    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], shape: &[usize]);

    /// The logarithm of the absolute Jacobian determinant of `constrain` at `x`.
    fn log_abs_det_jacobian(&self, x: &[T], shape: &[usize]) -> T;

    /// Adds the gradient of [`log_abs_det_jacobian`](Transform::log_abs_det_jacobian) to `grad`.
    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], shape: &[usize]);
}

/// `paramtree::transform::Positive` → `Positive`
fn type_name<E: ?Sized>() -> String {
    let path = std::any::type_name::<E>();
    let plain = path.split('<').next().unwrap_or(path);
    plain.rsplit("::").next().unwrap_or(plain).to_owned()
}
