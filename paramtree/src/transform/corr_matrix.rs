//! Correlation matrices.

use super::cholesky_corr::{CholeskyCorr, pull_row, read_row, row, row_mut, write_row};
use super::correlation::ln_cosh;
use super::count;
use super::cov_matrix::check_definite;
use super::dense::Square;
use super::event::{Event, event_transform};
use super::gram::{Diagonal, Factor, pull_entry, write_product};
use super::hyperbolic::tanh;
use super::matrix::{check_diagonal, check_finite, check_mirrored, slack, square};
use super::packing::{strictly_lower, strictly_lower_len};
use crate::real::Real;
use crate::refusal::Refusal;

/// Correlation matrices: symmetric and positive definite, with a diagonal of ones.
///
/// | | |
/// |---|---|
/// | value | R = L Lᵀ with L of [`CholeskyCorr`]; the diagonal is exactly 1 |
/// | inverse | the Cholesky factor, then that of [`CholeskyCorr`] |
/// | unconstrained length | K (K - 1) / 2 for the shape \[…, K, K\]; x row by row, below the diagonal |
/// | log-det | -Σ (K - j) ln cosh xᵢⱼ, j from 0, with respect to the entries below the diagonal |
///
/// The inverse reads the lower triangle and factors it with twice the digits. It refuses Rᵢⱼ and
/// Rⱼᵢ, or a diagonal entry and 1, that differ by more than 8 K ε, and a matrix that is singular
/// or indefinite: one of whose pivots is no more than K ε of the diagonal entry that it comes
/// from. Where the product would round to such a matrix, its correlations shrink, by
/// multiples of K ε, until it can be taken back. A gradient has both Rᵢⱼ and Rⱼᵢ; that of the diagonal is of no
/// effect.
///
/// Source: Stan Reference Manual, "Constraint Transforms", correlation matrices. Stan packs x of
/// this one column by column, and that of its factor as here, row by row.
///
/// ```
/// use paramtree::transform::{CorrMatrix, Transform};
///
/// let mut r = [0.0; 4];
/// CorrMatrix.constrain(&[0.5], &mut r, &[2, 2]);
/// assert_eq!(r[0], 1.0);
/// assert!((r[1] - 0.5_f64.tanh()).abs() < 1e-15);
///
/// let mut x = [0.0];
/// let refusal = CorrMatrix.unconstrain(&[1.0; 4], &mut x, &[2, 2]).unwrap_err();
/// assert_eq!(refusal.index(), Some(3), "singular");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorrMatrix;

impl<T: Real> Event<T> for CorrMatrix {
    fn rank(&self) -> usize {
        2
    }

    fn event_len(&self, shape: &[usize]) -> Result<usize, Refusal> {
        square(shape).map(strictly_lower_len)
    }

    fn constrain(&self, x: &[T], y: &mut [T], shape: &[usize]) {
        let fill = |y: &mut [T]| Event::constrain(&CholeskyCorr, x, y, shape);
        write_product(y, shape[0], Diagonal::Ones, fill);
    }

    fn check(&self, y: &[T], shape: &[usize]) -> Result<(), Refusal> {
        let n = shape[0];
        check_finite(y)?;
        let (one, tolerance) = (T::from_f64(1.0), slack::<T>(8.0, n));
        check_diagonal(y, n, one, tolerance)?;
        check_mirrored(y, n, |below| below, |_, _| tolerance)?;
        check_definite(y, n)
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], shape: &[usize]) {
        let n = shape[0];
        let Ok(factor) = Factor::of(y, n) else {
            return;
        };
        let factor = Square::from_fn(n, |i, j| factor.unit(i, j));
        for i in 0..n {
            read_row(&factor.row(i)[..=i], row_mut(x, i));
        }
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], shape: &[usize]) {
        let n = shape[0];
        let mut factor = Square::diagonal(n, 0.0);
        for i in 0..n {
            write_row(row(x, i), &mut factor.row_mut(i)[..=i]);
        }
        for i in 0..n {
            let bar = |j: usize| pull_entry(y_bar, n, (i, j), |k| k != i, |k| factor[(k, j)]);
            pull_row(row(x, i), bar, row_mut(x_bar, i));
        }
    }

    fn log_abs_det_jacobian(&self, x: &[T], shape: &[usize]) -> T {
        let n = shape[0];
        let terms = strictly_lower(n).zip(x);
        terms.fold(T::from_f64(0.0), |sum, ((_, j), &x)| {
            sum - count::<T>(n - j) * ln_cosh(x)
        })
    }

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], shape: &[usize]) {
        let n = shape[0];
        for (((_, j), &x), grad) in strictly_lower(n).zip(x).zip(grad) {
            *grad = *grad - count::<T>(n - j) * tanh(x);
        }
    }
}

event_transform!(CorrMatrix);
