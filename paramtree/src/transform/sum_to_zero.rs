//! Vectors and matrices whose sums are zero.

use super::event::{Event, event_transform, total};
use super::helmert::{project, project_columns, spread, spread_columns};
use crate::real::Real;
use crate::refusal::{Quantity, Refusal};

/// Vectors whose sum is zero, as for the effects of a factor's levels.
///
/// | | |
/// |---|---|
/// | value | y = H x, the columns of H orthonormal and each of zero sum |
/// | inverse | Hᵀ y |
/// | domain | Σ yₖ = 0, within 8 K ε max\|y\| for K elements of a type with spacing ε |
/// | unconstrained length | K - 1 for the shape \[…, K\], per vector of the last axis |
/// | log-det | 0: H keeps lengths, so the surface measure is that of x |
///
/// The n-th column of H has 1/√(n(n+1)) in its first n elements and -n/√(n(n+1)) in the next
/// (Helmert). Source: Stan Reference Manual, "Constraint Transforms", zero sum vector.
///
/// ```
/// use paramtree::transform::{SumToZero, Transform};
///
/// let mut y = [0.0; 3];
/// SumToZero.constrain(&[2.0_f64.sqrt(), 0.0], &mut y, &[3]);
/// assert_eq!(y, [1.0, -1.0, 0.0]);
///
/// let refusal = SumToZero.unconstrain(&[1.0, 2.0, 0.5], &mut [0.0; 2], &[3]).unwrap_err();
/// assert_eq!(refusal.to_string(), "the sum 3.5 is not 0 within 1.0658141036401503e-14");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SumToZero;

/// Matrices whose rows and columns each sum to zero, as for the interaction of two factors.
///
/// | | |
/// |---|---|
/// | value | Y = H X Hᵀ, with the H of [`SumToZero`] for each side |
/// | inverse | Hᵀ Y H |
/// | domain | sums zero, within 8 ε max\|Y\| times the number of elements of a row or column |
/// | unconstrained length | (N - 1)(M - 1) for the shape \[…, N, M\], per matrix of the last two axes |
/// | log-det | 0: lengths are kept, so the surface measure is that of x |
///
/// x is X row by row, as natural values are; Stan reads it column by column. Source: Stan
/// Reference Manual, "Constraint Transforms", zero sum matrix.
///
/// ```
/// use paramtree::transform::{SumToZeroMatrix, Transform};
///
/// let mut y = [0.0_f64; 4];
/// SumToZeroMatrix.constrain(&[2.0], &mut y, &[2, 2]);
/// for (y, expected) in y.iter().zip([1.0, -1.0, -1.0, 1.0]) {
///     assert!((y - expected).abs() < 1e-15);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SumToZeroMatrix;

impl<T: Real> Event<T> for SumToZero {
    fn rank(&self) -> usize {
        1
    }

    fn event_len(&self, event: &[usize]) -> Result<usize, Refusal> {
        let len: usize = event.iter().product();
        Ok(len.saturating_sub(1))
    }

    fn constrain(&self, x: &[T], y: &mut [T], _event: &[usize]) {
        spread(x, y);
    }

    fn check(&self, y: &[T], _event: &[usize]) -> Result<(), Refusal> {
        let largest = check_finite(y)?;
        check_sum(y.len(), largest, 0, &|i| y[i])
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], _event: &[usize]) {
        project(y, x);
    }

    fn vjp(&self, _x: &[T], y_bar: &[T], x_bar: &mut [T], _event: &[usize]) {
        project(y_bar, x_bar);
    }

    fn log_abs_det_jacobian(&self, _x: &[T], _event: &[usize]) -> T {
        T::from_f64(0.0)
    }

    fn add_log_abs_det_jacobian_grad(&self, _x: &[T], _grad: &mut [T], _event: &[usize]) {}
}

impl<T: Real> Event<T> for SumToZeroMatrix {
    fn rank(&self) -> usize {
        2
    }

    fn event_len(&self, event: &[usize]) -> Result<usize, Refusal> {
        Ok(event.iter().map(|axis| axis.saturating_sub(1)).product())
    }

    fn constrain(&self, x: &[T], y: &mut [T], event: &[usize]) {
        let [_, columns] = *event else { return };
        if y.is_empty() {
            return;
        }
        let free = columns - 1;
        for (i, row) in y.chunks_exact_mut(columns).enumerate().skip(1) {
            spread(&x[(i - 1) * free..i * free], row);
        }
        spread_columns(y, columns);
    }

    fn check(&self, y: &[T], event: &[usize]) -> Result<(), Refusal> {
        let [rows, columns] = *event else {
            return Ok(());
        };
        let largest = check_finite(y)?;
        for row in 0..rows {
            let start = row * columns;
            check_sum(columns, largest, start, &|j| y[start + j])?;
        }
        for column in 0..columns {
            check_sum(rows, largest, column, &|i| y[i * columns + column])?;
        }
        Ok(())
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], event: &[usize]) {
        let [_, columns] = *event else { return };
        project_columns(y, x, columns);
    }

    fn vjp(&self, _x: &[T], y_bar: &[T], x_bar: &mut [T], event: &[usize]) {
        let [_, columns] = *event else { return };
        project_columns(y_bar, x_bar, columns);
    }

    fn log_abs_det_jacobian(&self, _x: &[T], _event: &[usize]) -> T {
        T::from_f64(0.0)
    }

    fn add_log_abs_det_jacobian_grad(&self, _x: &[T], _grad: &mut [T], _event: &[usize]) {}
}

event_transform!(SumToZero);
event_transform!(SumToZeroMatrix);

/// The largest magnitude.
fn check_finite<T: Real>(y: &[T]) -> Result<f64, Refusal> {
    let mut largest = 0.0;
    for (index, y) in y.iter().enumerate() {
        let value = y.to_f64();
        if !value.is_finite() {
            return Err(Refusal::OutOfDomain {
                index,
                value,
                lower: f64::NEG_INFINITY,
                upper: f64::INFINITY,
            });
        }
        largest = value.abs().max(largest);
    }
    Ok(largest)
}

fn check_sum<T: Real>(
    len: usize,
    largest: f64,
    index: usize,
    element: &impl Fn(usize) -> T,
) -> Result<(), Refusal> {
    let value = total(0..len, element).to_f64();
    let tolerance = 8.0 * super::count::<f64>(len) * T::epsilon().to_f64() * largest;
    if value.abs() <= tolerance {
        return Ok(());
    }
    Err(Refusal::Mismatch {
        index,
        quantity: Quantity::Sum,
        value,
        expected: 0.0,
        tolerance,
    })
}
