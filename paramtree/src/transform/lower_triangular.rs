//! Triangular matrices.

use super::event::{Event, event_transform};
use super::matrix::{check_finite, check_zeros_above, clamp_finite, matrix};
use super::packing::{lower, lower_len};
use crate::real::Real;
use crate::refusal::Refusal;

/// Lower triangular matrices: any numbers on and below the diagonal, zeros above it.
///
/// | | |
/// |---|---|
/// | value | yᵢⱼ = xᵢⱼ for j ≤ i, else 0; x row by row with the diagonal inline |
/// | unconstrained length | K (K + 1) / 2 for the shape \[…, K, K\]; min(i + 1, N) for each row i of M × N |
/// | log-det | 0, with respect to the entries that are free |
///
/// Entries above the diagonal must be exactly zero. Packing order: as the Cholesky factors in the
/// Stan Reference Manual, "Constraint Transforms".
///
/// ```
/// use paramtree::transform::{LowerTriangular, Transform};
///
/// let mut y = [0.0; 9];
/// LowerTriangular.constrain(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut y, &[3, 3]);
/// assert_eq!(y, [1.0, 0.0, 0.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0]);
///
/// let refusal = LowerTriangular.unconstrain(&[1.0, 0.5, 0.0, 1.0], &mut [0.0; 3], &[2, 2]);
/// assert_eq!(refusal.unwrap_err().index(), Some(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LowerTriangular;

impl<T: Real> Event<T> for LowerTriangular {
    fn rank(&self) -> usize {
        2
    }

    fn event_len(&self, shape: &[usize]) -> Result<usize, Refusal> {
        let (rows, columns) = matrix(shape)?;
        Ok(lower_len(rows, columns))
    }

    fn constrain(&self, x: &[T], y: &mut [T], shape: &[usize]) {
        let (rows, columns) = (shape[0], shape[1]);
        y.fill(T::from_f64(0.0));
        for ((i, j), &x) in lower(rows, columns).zip(x) {
            y[i * columns + j] = clamp_finite(x);
        }
    }

    fn check(&self, y: &[T], shape: &[usize]) -> Result<(), Refusal> {
        check_zeros_above(y, shape[1])?;
        check_finite(y)
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], shape: &[usize]) {
        let (rows, columns) = (shape[0], shape[1]);
        for ((i, j), x) in lower(rows, columns).zip(x) {
            *x = y[i * columns + j];
        }
    }

    fn vjp(&self, _x: &[T], y_bar: &[T], x_bar: &mut [T], shape: &[usize]) {
        let (rows, columns) = (shape[0], shape[1]);
        for ((i, j), x_bar) in lower(rows, columns).zip(x_bar) {
            *x_bar = y_bar[i * columns + j];
        }
    }

    fn log_abs_det_jacobian(&self, _x: &[T], _shape: &[usize]) -> T {
        T::from_f64(0.0)
    }

    fn add_log_abs_det_jacobian_grad(&self, _x: &[T], _grad: &mut [T], _shape: &[usize]) {}
}

event_transform!(LowerTriangular);
