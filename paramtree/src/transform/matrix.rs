//! What is asked of the shape and the entries of a matrix.

use super::count;
use super::packing::strictly_lower;
use crate::real::Real;
use crate::refusal::{Quantity, Refusal};

/// Rows and columns.
pub(super) fn matrix(shape: &[usize]) -> Result<(usize, usize), Refusal> {
    match *shape {
        [rows, columns] => Ok((rows, columns)),
        _ => Err(Refusal::shape(shape, "the transform maps a matrix")),
    }
}

/// The number of rows, and of columns.
pub(super) fn square(shape: &[usize]) -> Result<usize, Refusal> {
    match *shape {
        [rows, columns] if rows == columns => Ok(rows),
        _ => Err(Refusal::shape(
            shape,
            "a matrix with as many rows as columns is needed",
        )),
    }
}

/// The nearest finite number; NaN stays NaN.
#[inline]
pub(super) fn clamp_finite<T: Real>(x: T) -> T {
    x.clamp_open(T::from_f64(f64::NEG_INFINITY), T::from_f64(f64::INFINITY))
}

/// The nearest finite positive number; NaN stays NaN.
#[inline]
pub(super) fn clamp_positive<T: Real>(x: T) -> T {
    x.clamp_open(T::from_f64(0.0), T::from_f64(f64::INFINITY))
}

/// `factor` · `size` · ε: what rounding may do to a sum of `size` terms of order one.
pub(super) fn slack<T: Real>(factor: f64, size: usize) -> T {
    T::from_f64(factor) * count::<T>(size) * T::epsilon()
}

/// NaN is within nothing.
#[inline]
pub(super) fn is_within<T: Real>(value: T, expected: T, tolerance: T) -> bool {
    (value - expected).abs() <= tolerance
}

pub(super) fn check_finite<T: Real>(y: &[T]) -> Result<(), Refusal> {
    match y.iter().position(|y| !y.is_finite()) {
        None => Ok(()),
        Some(index) => Err(outside(y[index], index, f64::NEG_INFINITY)),
    }
}

/// Refuses what is not above zero on the diagonal.
pub(super) fn check_diagonal_positive<T: Real>(y: &[T], columns: usize) -> Result<(), Refusal> {
    let zero = T::from_f64(0.0);
    let mut diagonal = (0..y.len()).step_by(columns + 1);
    match diagonal.find(|&index| y[index].is_nan() || y[index] <= zero) {
        None => Ok(()),
        Some(index) => Err(outside(y[index], index, 0.0)),
    }
}

fn outside<T: Real>(value: T, index: usize, lower: f64) -> Refusal {
    Refusal::OutOfDomain {
        index,
        value: value.to_f64(),
        lower,
        upper: f64::INFINITY,
    }
}

/// Refuses all but zeros above the diagonal.
pub(super) fn check_zeros_above<T: Real>(y: &[T], columns: usize) -> Result<(), Refusal> {
    let zero = T::from_f64(0.0);
    for (i, row) in y.chunks_exact(columns.max(1)).enumerate() {
        for (j, &value) in row.iter().enumerate().skip(i + 1) {
            if value != zero {
                return Err(Refusal::Mismatch {
                    index: i * columns + j,
                    quantity: Quantity::AboveDiagonal,
                    value: value.to_f64(),
                    expected: 0.0,
                    tolerance: 0.0,
                });
            }
        }
    }
    Ok(())
}

/// Refuses yⱼᵢ that differ from what yᵢⱼ asks for by more than `tolerance(i, j)`.
pub(super) fn check_mirrored<T: Real>(
    y: &[T],
    n: usize,
    mirrored: impl Fn(T) -> T,
    tolerance: impl Fn(usize, usize) -> T,
) -> Result<(), Refusal> {
    for (i, j) in strictly_lower(n) {
        let (value, expected) = (y[j * n + i], mirrored(y[i * n + j]));
        let tolerance = tolerance(i, j);
        if !is_within(value, expected, tolerance) {
            return Err(Refusal::Mismatch {
                index: j * n + i,
                quantity: Quantity::AboveDiagonal,
                value: value.to_f64(),
                expected: expected.to_f64(),
                tolerance: tolerance.to_f64(),
            });
        }
    }
    Ok(())
}

/// Refuses diagonal entries that differ from `expected` by more than the tolerance.
pub(super) fn check_diagonal<T: Real>(
    y: &[T],
    n: usize,
    expected: T,
    tolerance: T,
) -> Result<(), Refusal> {
    let far = |index: &usize| !is_within(y[*index], expected, tolerance);
    match (0..y.len()).step_by(n + 1).find(far) {
        None => Ok(()),
        Some(index) => Err(Refusal::Mismatch {
            index,
            quantity: Quantity::OnDiagonal,
            value: y[index].to_f64(),
            expected: expected.to_f64(),
            tolerance: tolerance.to_f64(),
        }),
    }
}

/// The largest magnitude.
pub(super) fn largest_entry<T: Real>(y: &[T]) -> T {
    let larger = |most: T, y: &T| if y.abs() > most { y.abs() } else { most };
    y.iter().fold(T::from_f64(0.0), larger)
}
