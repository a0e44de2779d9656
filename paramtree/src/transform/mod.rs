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
//! | [`Correlation`] | (-1, 1) | tanh x |
//! | [`Affine`] | (-∞, ∞) | loc + scale x |
//! | [`Ordered`] | increasing vectors | y₀ = x₀, yₖ = yₖ₋₁ + exp xₖ |
//! | [`PositiveOrdered`] | increasing vectors of positive numbers | y₀ = exp x₀, yₖ = yₖ₋₁ + exp xₖ |
//! | [`Simplex`] | shares | softmax of a vector of zero sum |
//! | [`SimplexStickBreaking`] | shares | each a share of what those before have left |
//! | [`SimplexSoftmax`] | shares | softmax \[x, 0\] |
//! | [`RowStochastic`], [`ColumnStochastic`] | matrices of shares | [`Simplex`] of each row or column |
//! | [`SumToZero`], [`SumToZeroMatrix`] | vectors of zero sum, matrices of zero row and column sums | an orthonormal basis |
//! | [`UnitVector`] | vectors of length 1 | x / \|x\| |
//! | [`LowerTriangular`] | lower triangular matrices | yᵢⱼ = xᵢⱼ |
//! | [`Symmetric`] | symmetric matrices | yᵢⱼ = yⱼᵢ = xᵢⱼ |
//! | [`SkewSymmetric`] | skew-symmetric matrices | yᵢⱼ = -yⱼᵢ = xᵢⱼ |
//! | [`CholeskyCov::new`], [`CholeskyCov::softplus`] | Cholesky factors of covariance matrices | Lᵢⱼ = xᵢⱼ, Lᵢᵢ = exp xᵢᵢ or softplus xᵢᵢ |
//! | [`CholeskyCorr`] | Cholesky factors of correlation matrices | Lᵢⱼ = tanh xᵢⱼ Π sech xᵢₗ |
//! | [`CovMatrix`] | covariance matrices | L Lᵀ of `CholeskyCov` |
//! | [`CorrMatrix`] | correlation matrices | L Lᵀ of `CholeskyCorr` |
//! | [`Orthogonal::cayley`], [`Orthogonal::exp`] | rotations, around a base | (1 - A/2)⁻¹ (1 + A/2), exp A, A = -Aᵀ |
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
//!
#![doc = include_str!("../../docs/exactness.md")]

mod affine;
mod chain;
mod cholesky_corr;
mod cholesky_cov;
mod corr_matrix;
mod correlation;
mod cov_matrix;
mod dense;
mod elementwise;
mod event;
mod gram;
mod half_line;
mod helmert;
mod hyperbolic;
mod interval;
mod logistic;
mod lower_triangular;
mod matrix;
mod number;
mod ordered;
mod orthogonal;
mod packing;
mod positive;
mod room;
mod simplex;
mod softmax;
mod stick_breaking;
mod stochastic;
mod sum_to_zero;
mod symmetric;
mod twice;
mod unit_vector;

pub use self::affine::Affine;
pub use self::chain::Chain;
pub use self::cholesky_corr::CholeskyCorr;
pub use self::cholesky_cov::CholeskyCov;
pub use self::corr_matrix::CorrMatrix;
pub use self::correlation::Correlation;
pub use self::cov_matrix::CovMatrix;
pub use self::elementwise::Elementwise;
pub use self::half_line::{Lower, Upper};
pub use self::interval::{Interval, UnitInterval};
pub use self::lower_triangular::LowerTriangular;
pub use self::ordered::{Ordered, PositiveOrdered};
pub use self::orthogonal::Orthogonal;
pub use self::positive::{Positive, Softplus};
pub use self::simplex::{Simplex, SimplexSoftmax};
pub use self::stick_breaking::SimplexStickBreaking;
pub use self::stochastic::{ColumnStochastic, RowStochastic};
pub use self::sum_to_zero::{SumToZero, SumToZeroMatrix};
pub use self::symmetric::{SkewSymmetric, Symmetric};
pub use self::unit_vector::UnitVector;

use std::ops::Range;

use self::elementwise::PIECE;
use self::room::Room;
use crate::real::Real;
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

    /// How many of the last axes the transform maps as one: 0 where it maps each element by itself,
    /// 1 for vectors, 2 for matrices.
    ///
    /// Along the axes before them it is applied to each part by itself.
    fn event_rank(&self) -> usize {
        0
    }

    /// Whether each natural value follows from its own coordinate alone, whatever the shape.
    #[doc(hidden)]
    fn is_elementwise(&self) -> bool {
        false
    }

    /// Moves values apart, between these ends, that another map has made equal and that must not be:
    /// `rising` says whether that map rises.
    #[doc(hidden)]
    fn part(&self, values: &mut [T], shape: &[usize], rising: bool, ends: (T, T)) {
        let _ = (values, shape, rising, ends);
    }

    /// The ends of an open interval that holds every natural value: all numbers, unless it says
    /// less.
    fn range(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    /// How many unconstrained coordinates natural values of this shape have.
    ///
    /// # Errors
    ///
    /// Refuses shapes that natural values cannot have and parameters that make no transform. The other methods rely on this check.
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

    /// [`vjp`](Transform::vjp) of a gradient that follows from the natural values: `pull` writes
    /// it for those in a range, of which there are at most [`PIECE`].
    #[doc(hidden)]
    fn vjp_from(
        &self,
        x: &[T],
        x_bar: &mut [T],
        shape: &[usize],
        pull: impl Fn(Range<usize>, &[T], &mut [T]),
    ) where
        T: Real,
        Self: Sized,
    {
        let mut y = Room::new(shape.iter().product());
        self.constrain(x, &mut y, shape);
        let mut natural = [T::from_f64(0.0); PIECE];
        for (i, bar) in y.chunks_mut(PIECE).enumerate() {
            let natural = &mut natural[..bar.len()];
            natural.copy_from_slice(bar);
            pull(i * PIECE..i * PIECE + bar.len(), natural, bar);
        }
        self.vjp(x, &y, x_bar, shape);
    }

    /// The logarithm of the absolute Jacobian determinant of `constrain` at `x`.
    fn log_abs_det_jacobian(&self, x: &[T], shape: &[usize]) -> T;

    /// Adds the gradient of [`log_abs_det_jacobian`](Transform::log_abs_det_jacobian) to `grad`.
    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], shape: &[usize]);
}

/// A number of elements, as a number to compute with.
#[allow(clippy::cast_precision_loss, reason = "no vector is that long")]
fn count<T: Real>(elements: usize) -> T {
    T::from_f64(elements as f64)
}

/// The ends of a transform's range as the element type has them.
fn ends<T: Real>(transform: &impl Transform<T>) -> (T, T) {
    rounded(transform.range())
}

/// The ends of an interval as the element type has them.
#[inline]
fn rounded<T: Real>((lower, upper): (f64, f64)) -> (T, T) {
    (T::from_f64(lower), T::from_f64(upper))
}

/// `paramtree::transform::Positive` → `Positive`
fn type_name<E: ?Sized>() -> String {
    let path = std::any::type_name::<E>();
    let plain = path.split('<').next().unwrap_or(path);
    plain.rsplit("::").next().unwrap_or(plain).to_owned()
}
