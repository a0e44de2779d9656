//! Directions.

use super::count;
use super::event::{Event, event_transform, total};
use crate::real::Real;
use crate::refusal::{Quantity, Refusal};

/// Vectors of length one.
///
/// | | |
/// |---|---|
/// | value | y = x / \|x\| |
/// | inverse | y itself |
/// | domain | \|y\| = 1, within 8 K ε for K elements of a type with spacing ε |
/// | unconstrained length | K for the shape \[…, K\], per vector of the last axis |
/// | log-det | -½ \|x\|², which is Stan's: it makes x normal where y is uniform |
///
/// No bijection: the length of x is free, and only the log-det holds it near √K. Without the
/// log-det, as in an optimisation, nothing pulls x anywhere along y; with it and no prior, x is
/// drawn to 0, where there is no direction. There y is the first axis and the gradient zero.
///
/// Source: Stan Reference Manual, "Constraint Transforms", unit vector.
///
/// ```
/// use paramtree::transform::{Transform, UnitVector};
///
/// let mut y = [0.0; 2];
/// UnitVector.constrain(&[3e-200, 4e-200], &mut y, &[2]);
/// assert_eq!(y, [0.6, 0.8]);
///
/// let refusal = UnitVector.unconstrain(&[0.0, 0.0], &mut [0.0; 2], &[2]).unwrap_err();
/// assert_eq!(refusal.to_string(), "the norm 0 is not 1 within 3.552713678800501e-15");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitVector;

impl<T: Real> Event<T> for UnitVector {
    fn rank(&self) -> usize {
        1
    }

    fn event_len(&self, event: &[usize]) -> Result<usize, Refusal> {
        match event.iter().product() {
            0 => Err(Refusal::shape(
                event,
                "a direction has at least one element",
            )),
            len => Ok(len),
        }
    }

    fn constrain(&self, x: &[T], y: &mut [T], _event: &[usize]) {
        let (scale, norm) = scaled_norm(x);
        if scale == T::from_f64(0.0) {
            y.fill(scale);
            y[0] = T::from_f64(1.0);
            return;
        }
        for (y, &x) in y.iter_mut().zip(x) {
            *y = x / scale / norm;
        }
    }

    fn check(&self, y: &[T], _event: &[usize]) -> Result<(), Refusal> {
        let (scale, norm) = scaled_norm(y);
        let value = if scale == T::from_f64(0.0) {
            0.0
        } else {
            (scale * norm).to_f64()
        };
        let tolerance = 8.0 * count::<f64>(y.len()) * T::epsilon().to_f64();
        if (value - 1.0).abs() <= tolerance {
            return Ok(());
        }
        Err(Refusal::Mismatch {
            index: 0,
            quantity: Quantity::Norm,
            value,
            expected: 1.0,
            tolerance,
        })
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], _event: &[usize]) {
        x.copy_from_slice(y);
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], _event: &[usize]) {
        let (scale, norm) = scaled_norm(x);
        if scale == T::from_f64(0.0) {
            x_bar.fill(scale);
            return;
        }
        let unit = |k: usize| x[k] / scale / norm;
        let along = total(0..x.len(), &|k| unit(k) * y_bar[k]);
        for (k, x_bar) in x_bar.iter_mut().enumerate() {
            *x_bar = (y_bar[k] - unit(k) * along) / norm / scale;
        }
    }

    fn log_abs_det_jacobian(&self, x: &[T], _event: &[usize]) -> T {
        -T::from_f64(0.5) * total(0..x.len(), &|k| x[k] * x[k])
    }

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], _event: &[usize]) {
        for (grad, &x) in grad.iter_mut().zip(x) {
            *grad = *grad - x;
        }
    }
}

event_transform!(UnitVector);

/// The largest magnitude, and the length in units of it: the squares neither vanish nor overflow.
fn scaled_norm<T: Real>(x: &[T]) -> (T, T) {
    let zero = T::from_f64(0.0);
    let scale = x.iter().fold(zero, |scale, x| {
        let magnitude = x.abs();
        if magnitude > scale || magnitude.is_nan() {
            magnitude
        } else {
            scale
        }
    });
    let squares = total(0..x.len(), &|k| {
        let part = x[k] / scale;
        part * part
    });
    (scale, squares.sqrt())
}
