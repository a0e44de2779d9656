//! Matrices that are their own transpose, or minus it.

use super::event::{Event, event_transform};
use super::matrix::{
    check_diagonal, check_finite, check_mirrored, clamp_finite, largest_entry, slack, square,
};
use super::packing::{lower, lower_len, strictly_lower, strictly_lower_len};
use crate::real::Real;
use crate::refusal::Refusal;

/// Symmetric matrices, definite or not.
///
/// | | |
/// |---|---|
/// | value | yᵢⱼ = yⱼᵢ = xᵢⱼ for j ≤ i; x row by row with the diagonal inline |
/// | unconstrained length | K (K + 1) / 2 for the shape \[…, K, K\] |
/// | log-det | 0, with respect to the lower triangle |
///
/// The inverse reads the lower triangle, as Stan does. It refuses yᵢⱼ and yⱼᵢ that differ by
/// more than 8 K ε max|y|. A gradient has both entries: that of xᵢⱼ is their sum. Packing order:
/// as covariance matrices in the Stan Reference Manual, "Constraint Transforms".
///
/// ```
/// use paramtree::transform::{Symmetric, Transform};
///
/// let mut y = [0.0; 4];
/// Symmetric.constrain(&[1.0, 2.0, 3.0], &mut y, &[2, 2]);
/// assert_eq!(y, [1.0, 2.0, 2.0, 3.0]);
///
/// let refusal = Symmetric.unconstrain(&[1.0, 2.0, 2.5, 3.0], &mut [0.0; 3], &[2, 2]).unwrap_err();
/// assert!(refusal.to_string().starts_with("the entry above the diagonal 2 is not 2.5 within"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Symmetric;

/// Skew-symmetric matrices: minus their own transpose.
///
/// | | |
/// |---|---|
/// | value | yᵢⱼ = xᵢⱼ and yⱼᵢ = -xᵢⱼ for j < i, yᵢᵢ = 0; x row by row |
/// | unconstrained length | K (K - 1) / 2 for the shape \[…, K, K\] |
/// | log-det | 0, with respect to the entries below the diagonal |
///
/// The inverse reads what stands below the diagonal. It refuses yᵢⱼ and -yⱼᵢ that differ by more
/// than 8 K ε max|y|, and a diagonal that differs from 0 by more. A gradient has both entries: that
/// of xᵢⱼ is their difference. Packing order: as correlation matrices in the Stan Reference
/// Manual, "Constraint Transforms".
///
/// ```
/// use paramtree::transform::{SkewSymmetric, Transform};
///
/// let mut y = [0.0; 9];
/// SkewSymmetric.constrain(&[1.0, 2.0, 3.0], &mut y, &[3, 3]);
/// assert_eq!(y, [0.0, -1.0, -2.0, 1.0, 0.0, -3.0, 2.0, 3.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkewSymmetric;

impl<T: Real> Event<T> for Symmetric {
    fn rank(&self) -> usize {
        2
    }

    fn event_len(&self, shape: &[usize]) -> Result<usize, Refusal> {
        square(shape).map(|n| lower_len(n, n))
    }

    fn constrain(&self, x: &[T], y: &mut [T], shape: &[usize]) {
        let n = shape[0];
        for ((i, j), &x) in lower(n, n).zip(x) {
            y[i * n + j] = clamp_finite(x);
            y[j * n + i] = y[i * n + j];
        }
    }

    fn check(&self, y: &[T], shape: &[usize]) -> Result<(), Refusal> {
        let n = shape[0];
        check_finite(y)?;
        let tolerance = slack::<T>(8.0, n) * largest_entry(y);
        check_mirrored(y, n, |below| below, |_, _| tolerance)
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], shape: &[usize]) {
        let n = shape[0];
        for ((i, j), x) in lower(n, n).zip(x) {
            *x = y[i * n + j];
        }
    }

    fn vjp(&self, _x: &[T], y_bar: &[T], x_bar: &mut [T], shape: &[usize]) {
        let n = shape[0];
        for ((i, j), x_bar) in lower(n, n).zip(x_bar) {
            *x_bar = y_bar[i * n + j];
            if i != j {
                *x_bar = *x_bar + y_bar[j * n + i];
            }
        }
    }

    fn log_abs_det_jacobian(&self, _x: &[T], _shape: &[usize]) -> T {
        T::from_f64(0.0)
    }

    fn add_log_abs_det_jacobian_grad(&self, _x: &[T], _grad: &mut [T], _shape: &[usize]) {}
}

impl<T: Real> Event<T> for SkewSymmetric {
    fn rank(&self) -> usize {
        2
    }

    fn event_len(&self, shape: &[usize]) -> Result<usize, Refusal> {
        square(shape).map(strictly_lower_len)
    }

    fn constrain(&self, x: &[T], y: &mut [T], shape: &[usize]) {
        let n = shape[0];
        y.fill(T::from_f64(0.0));
        for ((i, j), &x) in strictly_lower(n).zip(x) {
            y[i * n + j] = clamp_finite(x);
            y[j * n + i] = -y[i * n + j];
        }
    }

    fn check(&self, y: &[T], shape: &[usize]) -> Result<(), Refusal> {
        let n = shape[0];
        check_finite(y)?;
        let tolerance = slack::<T>(8.0, n) * largest_entry(y);
        check_diagonal(y, n, T::from_f64(0.0), tolerance)?;
        check_mirrored(y, n, |below| -below, |_, _| tolerance)
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], shape: &[usize]) {
        let n = shape[0];
        for ((i, j), x) in strictly_lower(n).zip(x) {
            *x = y[i * n + j];
        }
    }

    fn vjp(&self, _x: &[T], y_bar: &[T], x_bar: &mut [T], shape: &[usize]) {
        let n = shape[0];
        for ((i, j), x_bar) in strictly_lower(n).zip(x_bar) {
            *x_bar = y_bar[i * n + j] - y_bar[j * n + i];
        }
    }

    fn log_abs_det_jacobian(&self, _x: &[T], _shape: &[usize]) -> T {
        T::from_f64(0.0)
    }

    fn add_log_abs_det_jacobian_grad(&self, _x: &[T], _grad: &mut [T], _shape: &[usize]) {}
}

event_transform!(Symmetric);
event_transform!(SkewSymmetric);
