//! Covariance matrices.

use std::f64::consts::LN_2;

use super::cholesky_cov::CholeskyCov;
use super::count;
use super::elementwise::product;
use super::event::{Event, event_transform};
use super::gram::{Diagonal, Factor, pull_entry, write_product};
use super::matrix::{check_diagonal_positive, check_finite, check_mirrored, slack, square};
use super::packing::{lower, lower_len};
use crate::real::Real;
use crate::refusal::{Quantity, Refusal};

/// Covariance matrices: symmetric and positive definite.
///
/// | | |
/// |---|---|
/// | value | Σ = L Lᵀ with Lᵢᵢ = exp xᵢᵢ and Lᵢⱼ = xᵢⱼ for j < i, as [`CholeskyCov`] |
/// | inverse | the Cholesky factor, then the logarithm of its diagonal |
/// | unconstrained length | K (K + 1) / 2 for the shape \[…, K, K\]; x row by row with the diagonal inline |
/// | log-det | K ln 2 + Σ (K - i + 1) xᵢᵢ, i from 0, with respect to the lower triangle |
///
/// The inverse reads the lower triangle and factors it with twice the digits. It refuses Σᵢⱼ and
/// Σⱼᵢ that differ by more than 8 K ε √(Σᵢᵢ Σⱼⱼ), and a matrix that is singular or indefinite:
/// one of whose pivots is no more than K ε of the diagonal entry that it comes from. Where the
/// product would round to such a matrix, its correlations shrink, by multiples of K ε, until it can be
/// taken back; variances are kept where they neither overflow nor lose digits. A gradient
/// has both Σᵢⱼ and Σⱼᵢ.
///
/// Source: Stan Reference Manual, "Constraint Transforms", covariance matrices.
///
/// ```
/// use paramtree::transform::{CovMatrix, Transform};
///
/// let mut sigma = [0.0; 4];
/// CovMatrix.constrain(&[0.0, 0.5, 0.0], &mut sigma, &[2, 2]);
/// assert_eq!(sigma, [1.0, 0.5, 0.5, 1.25]);
///
/// let mut x = [0.0; 3];
/// let refusal = CovMatrix.unconstrain(&[1.0, 2.0, 2.0, 1.0], &mut x, &[2, 2]).unwrap_err();
/// assert_eq!(refusal.index(), Some(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CovMatrix;

impl<T: Real> Event<T> for CovMatrix {
    fn rank(&self) -> usize {
        2
    }

    fn event_len(&self, shape: &[usize]) -> Result<usize, Refusal> {
        square(shape).map(|n| lower_len(n, n))
    }

    fn constrain(&self, x: &[T], y: &mut [T], shape: &[usize]) {
        let fill = |y: &mut [T]| Event::constrain(&CholeskyCov::new(), x, y, shape);
        write_product(y, shape[0], Diagonal::Squares, fill);
    }

    fn check(&self, y: &[T], shape: &[usize]) -> Result<(), Refusal> {
        let n = shape[0];
        check_diagonal_positive(y, n)?;
        check_finite(y)?;
        let slack = slack::<T>(8.0, n);
        let tolerance = |i: usize, j: usize| slack * y[i * n + i].sqrt() * y[j * n + j].sqrt();
        check_mirrored(y, n, |below| below, tolerance)?;
        check_definite(y, n)
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], shape: &[usize]) {
        let n = shape[0];
        let Ok(factor) = Factor::of(y, n) else {
            return;
        };
        for ((i, j), x) in lower(n, n).zip(x) {
            let entry = factor.entry(i, j);
            *x = if i == j { entry.ln() } else { entry };
        }
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], shape: &[usize]) {
        let n = shape[0];
        for j in 0..n {
            let diagonal = x[lower_len(j, j) + j].exp();
            let factor = |k: usize| {
                if k == j {
                    diagonal
                } else {
                    x[lower_len(k, k) + j]
                }
            };
            for i in j..n {
                let bar = pull_entry(y_bar, n, (i, j), |_| true, factor);
                x_bar[lower_len(i, i) + j] = if i == j { product(bar, diagonal) } else { bar };
            }
        }
    }

    fn log_abs_det_jacobian(&self, x: &[T], shape: &[usize]) -> T {
        let n = shape[0];
        let terms = (0..n).map(|i| count::<T>(n - i + 1) * x[lower_len(i, i) + i]);
        let constant = count::<T>(n) * T::from_f64(LN_2);
        terms.fold(constant, |sum, term| sum + term)
    }

    fn add_log_abs_det_jacobian_grad(&self, _x: &[T], grad: &mut [T], shape: &[usize]) {
        let n = shape[0];
        for i in 0..n {
            let grad = &mut grad[lower_len(i, i) + i];
            *grad = *grad + count::<T>(n - i + 1);
        }
    }
}

/// Refuses what has no Cholesky factor.
pub(super) fn check_definite<T: Real>(y: &[T], n: usize) -> Result<(), Refusal> {
    Factor::of(y, n).map(|_| ()).map_err(|singular| {
        let index = singular.row * (n + 1);
        let scale = y[index].to_f64();
        Refusal::NotAbove {
            index,
            quantity: Quantity::Pivot,
            value: singular.rest * scale,
            tolerance: slack::<T>(1.0, n).to_f64() * scale,
        }
    })
}

event_transform!(CovMatrix);
