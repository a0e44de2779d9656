//! Cholesky factors of correlation matrices.

use super::correlation::ln_cosh;
use super::count;
use super::event::{Event, event_transform};
use super::hyperbolic::{asinh_ratio, hypot, sech, tanh};
use super::matrix::{
    check_diagonal_positive, check_finite, check_zeros_above, clamp_positive, is_within, slack,
    square,
};
use super::packing::{strictly_lower, strictly_lower_len};
use crate::real::Real;
use crate::refusal::{Quantity, Refusal};

/// Cholesky factors of correlation matrices: lower triangular with a positive diagonal and rows of
/// length one.
///
/// | | |
/// |---|---|
/// | value | Lᵢⱼ = tanh xᵢⱼ rᵢⱼ for j < i and Lᵢᵢ = rᵢᵢ, with rᵢⱼ the product of sech xᵢₗ over l < j |
/// | inverse | xᵢⱼ = asinh(Lᵢⱼ / √(Σ Lᵢₗ² over l > j)) |
/// | unconstrained length | K (K - 1) / 2 for the shape \[…, K, K\]; x row by row, below the diagonal |
/// | log-det | -Σ (i - j + 1) ln cosh xᵢⱼ, with respect to the entries below the diagonal |
///
/// This is Stan's map: its z is tanh x, its √(1 - Σ L²) the product of 1 / cosh. The products keep
/// their digits where 1 - Σ L² would round to zero, and so do the sums from the far end of a row.
/// The inverse takes rows of any length alike, but refuses those whose squares sum to anything else
/// than 1 within 8 K ε, entries above the diagonal other than zero, and a diagonal that is not
/// positive.
///
/// Source: Stan Reference Manual, "Constraint Transforms", Cholesky factors of correlation
/// matrices.
///
/// ```
/// use paramtree::transform::{CholeskyCorr, Transform};
///
/// let (x, mut factor, mut back) = ([8.0; 3], [0.0; 9], [0.0_f64; 3]);
/// CholeskyCorr.constrain(&x, &mut factor, &[3, 3]);
/// CholeskyCorr.unconstrain(&factor, &mut back, &[3, 3])?;
/// assert!(back.iter().all(|back| (back - 8.0).abs() < 1e-14));
/// # Ok::<(), paramtree::Refusal>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CholeskyCorr;

impl<T: Real> Event<T> for CholeskyCorr {
    fn rank(&self) -> usize {
        2
    }

    fn event_len(&self, shape: &[usize]) -> Result<usize, Refusal> {
        square(shape).map(strictly_lower_len)
    }

    fn constrain(&self, x: &[T], y: &mut [T], shape: &[usize]) {
        let n = shape[0];
        y.fill(T::from_f64(0.0));
        for i in 0..n {
            write_row(row(x, i), &mut y[i * n..=i * n + i]);
        }
    }

    fn check(&self, y: &[T], shape: &[usize]) -> Result<(), Refusal> {
        let n = shape[0];
        check_zeros_above(y, n)?;
        check_diagonal_positive(y, n)?;
        check_finite(y)?;
        let (zero, one) = (T::from_f64(0.0), T::from_f64(1.0));
        let tolerance = slack::<T>(8.0, n);
        for (i, row) in y.chunks_exact(n.max(1)).enumerate() {
            let norm = row.iter().fold(zero, |sum, &y| sum + y * y);
            if !is_within(norm, one, tolerance) {
                return Err(Refusal::Mismatch {
                    index: i * n,
                    quantity: Quantity::SquaredNorm,
                    value: norm.to_f64(),
                    expected: 1.0,
                    tolerance: tolerance.to_f64(),
                });
            }
        }
        Ok(())
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], shape: &[usize]) {
        let n = shape[0];
        for i in 0..n {
            read_row(&y[i * n..=i * n + i], row_mut(x, i));
        }
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], shape: &[usize]) {
        let n = shape[0];
        for i in 0..n {
            pull_row(row(x, i), |j| y_bar[i * n + j], row_mut(x_bar, i));
        }
    }

    fn log_abs_det_jacobian(&self, x: &[T], shape: &[usize]) -> T {
        let terms = strictly_lower(shape[0]).zip(x);
        terms.fold(T::from_f64(0.0), |sum, ((i, j), &x)| {
            sum - count::<T>(i - j + 1) * ln_cosh(x)
        })
    }

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], shape: &[usize]) {
        for (((i, j), &x), grad) in strictly_lower(shape[0]).zip(x).zip(grad) {
            *grad = *grad - count::<T>(i - j + 1) * tanh(x);
        }
    }
}

/// The coordinates of row `i`.
pub(super) fn row<T>(x: &[T], i: usize) -> &[T] {
    let start = strictly_lower_len(i);
    &x[start..start + i]
}

pub(super) fn row_mut<T>(x: &mut [T], i: usize) -> &mut [T] {
    let start = strictly_lower_len(i);
    &mut x[start..start + i]
}

/// A row of the factor, up to and with its diagonal.
pub(super) fn write_row<T: Real>(x: &[T], y: &mut [T]) {
    let mut rest = T::from_f64(1.0);
    for (y, &x) in y.iter_mut().zip(x) {
        *y = tanh(x) * rest;
        rest = rest * sech(x);
    }
    y[x.len()] = clamp_positive(rest);
}

/// The coordinates of such a row.
pub(super) fn read_row<T: Real>(y: &[T], x: &mut [T]) {
    let mut rest = y[x.len()];
    for (x, &y) in x.iter_mut().zip(y).rev() {
        *x = asinh_ratio(y, rest);
        rest = hypot(y, rest);
    }
}

/// The gradient of a row's coordinates, from that of the row, which is asked for from its end.
pub(super) fn pull_row<T: Real>(x: &[T], mut y_bar: impl FnMut(usize) -> T, x_bar: &mut [T]) {
    let mut rest = T::from_f64(1.0);
    for (x_bar, &x) in x_bar.iter_mut().zip(x) {
        *x_bar = rest;
        rest = rest * sech(x);
    }
    let mut rest_bar = y_bar(x.len());
    for (j, (x_bar, &x)) in x_bar.iter_mut().zip(x).enumerate().rev() {
        let (y_bar, sech, tanh) = (y_bar(j), sech(x), tanh(x));
        *x_bar = sech * *x_bar * (y_bar * sech - rest_bar * tanh);
        rest_bar = y_bar * tanh + rest_bar * sech;
    }
}

event_transform!(CholeskyCorr);
