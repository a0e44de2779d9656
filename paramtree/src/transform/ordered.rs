//! Increasing vectors.

use super::elementwise::product;
use super::ends;
use super::event::{Event, event_transform, total};
use super::half_line::ln_above;
use crate::real::Real;
use crate::refusal::Refusal;

/// Increasing vectors, as for the cut points of an ordinal regression.
///
/// | | |
/// |---|---|
/// | value | y₀ = x₀, yₖ = yₖ₋₁ + exp xₖ |
/// | inverse | x₀ = y₀, xₖ = ln(yₖ - yₖ₋₁) |
/// | domain | y₀ < y₁ < … |
/// | unconstrained length | K for the shape \[…, K\], per vector of the last axis |
/// | log-det | Σ xₖ over k ≥ 1, with respect to y |
///
/// A step that rounds to nothing becomes the smallest one there is, so that there are no ties; a
/// tie or a decrease is refused. Source: Stan Reference Manual, "Constraint Transforms", ordered
/// vector.
///
/// ```
/// use paramtree::transform::{Ordered, Transform};
///
/// let mut y = [0.0; 3];
/// Ordered.constrain(&[1.0, 0.0, -1000.0], &mut y, &[3]);
/// assert_eq!(y, [1.0, 2.0, 2.0000000000000004]);
///
/// let refusal = Ordered.unconstrain(&[1.0, 1.0, 2.0], &mut [0.0; 3], &[3]).unwrap_err();
/// assert_eq!(refusal.to_string(), "1 is not greater than 1 before it");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ordered;

/// Increasing vectors of positive numbers.
///
/// | | |
/// |---|---|
/// | value | y₀ = exp x₀, yₖ = yₖ₋₁ + exp xₖ |
/// | inverse | x₀ = ln y₀, xₖ = ln(yₖ - yₖ₋₁) |
/// | domain | 0 < y₀ < y₁ < … |
/// | unconstrained length | K for the shape \[…, K\], per vector of the last axis |
/// | log-det | Σ xₖ, with respect to y |
///
/// Ties as in [`Ordered`]. Another map onto the same vectors is `Chain(Ordered, Positive)`.
/// Source: Stan Reference Manual, "Constraint Transforms", positive ordered vector.
///
/// ```
/// use paramtree::transform::{PositiveOrdered, Transform};
///
/// let mut y = [0.0; 3];
/// PositiveOrdered.constrain(&[0.0, 0.0, 0.0], &mut y, &[3]);
/// assert_eq!(y, [1.0, 2.0, 3.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositiveOrdered;

impl<T: Real> Event<T> for Ordered {
    fn rank(&self) -> usize {
        1
    }

    fn event_len(&self, event: &[usize]) -> Result<usize, Refusal> {
        Ok(event.iter().product())
    }

    fn constrain(&self, x: &[T], y: &mut [T], _event: &[usize]) {
        let Some(&first) = x.first() else { return };
        climb(first, &x[1..], y);
        part(y, true, ends(self));
    }

    fn part(&self, values: &mut [T], rising: bool, ends: (T, T)) {
        part(values, rising, ends);
    }

    fn check(&self, y: &[T], _event: &[usize]) -> Result<(), Refusal> {
        check_increasing(y, f64::NEG_INFINITY)
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], _event: &[usize]) {
        let Some(&first) = y.first() else { return };
        x[0] = first;
        ln_steps(y, x);
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], _event: &[usize]) {
        let first = x_bar.len().min(1);
        pull_steps(x, y_bar, x_bar, first);
    }

    fn log_abs_det_jacobian(&self, x: &[T], _event: &[usize]) -> T {
        total(1..x.len().max(1), &|k| x[k])
    }

    fn add_log_abs_det_jacobian_grad(&self, _x: &[T], grad: &mut [T], _event: &[usize]) {
        for grad in grad.iter_mut().skip(1) {
            *grad = *grad + T::from_f64(1.0);
        }
    }
}

impl<T: Real> Event<T> for PositiveOrdered {
    fn rank(&self) -> usize {
        1
    }

    fn range(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    fn event_len(&self, event: &[usize]) -> Result<usize, Refusal> {
        Ok(event.iter().product())
    }

    fn constrain(&self, x: &[T], y: &mut [T], _event: &[usize]) {
        let Some(&first) = x.first() else { return };
        climb(first.exp(), &x[1..], y);
        part(y, true, ends(self));
    }

    fn part(&self, values: &mut [T], rising: bool, ends: (T, T)) {
        part(values, rising, ends);
    }

    fn check(&self, y: &[T], _event: &[usize]) -> Result<(), Refusal> {
        check_increasing(y, 0.0)
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], _event: &[usize]) {
        let Some(&first) = y.first() else { return };
        x[0] = first.ln();
        ln_steps(y, x);
    }

    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], _event: &[usize]) {
        pull_steps(x, y_bar, x_bar, 0);
    }

    fn log_abs_det_jacobian(&self, x: &[T], _event: &[usize]) -> T {
        total(0..x.len(), &|k| x[k])
    }

    fn add_log_abs_det_jacobian_grad(&self, _x: &[T], grad: &mut [T], _event: &[usize]) {
        for grad in grad {
            *grad = *grad + T::from_f64(1.0);
        }
    }
}

event_transform!(Ordered);
event_transform!(PositiveOrdered);

fn climb<T: Real>(first: T, steps: &[T], y: &mut [T]) {
    let mut last = first;
    y[0] = first;
    for (y, &step) in y[1..].iter_mut().zip(steps) {
        last = last + step.exp();
        *y = last;
    }
}

/// Moves values apart that are equal or not between the ends, by as little as there is.
fn part<T: Real>(values: &mut [T], rising: bool, ends: (T, T)) {
    if rising {
        lift(values.iter_mut(), ends);
        make_room(values.iter_mut().rev(), ends);
    } else {
        lift(values.iter_mut().rev(), ends);
        make_room(values.iter_mut(), ends);
    }
}

fn lift<'v, T: Real>(values: impl Iterator<Item = &'v mut T>, (lower, upper): (T, T)) {
    let mut below = lower;
    for value in values {
        *value = value.clamp_open(below, upper);
        below = *value;
    }
}

/// Where the upper end was reached too early, those before it make room.
fn make_room<'v, T: Real>(values: impl Iterator<Item = &'v mut T>, (lower, upper): (T, T)) {
    let mut above = upper;
    for value in values {
        *value = value.clamp_open(lower, above);
        above = *value;
    }
}

fn check_increasing<T: Real>(y: &[T], lower: f64) -> Result<(), Refusal> {
    let upper = f64::INFINITY;
    for (index, &y) in y.iter().enumerate() {
        let value = y.to_f64();
        if !(lower < value && value < upper) {
            return Err(Refusal::OutOfDomain {
                index,
                value,
                lower,
                upper,
            });
        }
    }
    match y.windows(2).position(|pair| pair[1] <= pair[0]) {
        None => Ok(()),
        Some(before) => Err(Refusal::NotIncreasing {
            index: before + 1,
            value: y[before + 1].to_f64(),
            previous: y[before].to_f64(),
        }),
    }
}

/// The coordinates of all but the first.
fn ln_steps<T: Real>(y: &[T], x: &mut [T]) {
    for (x, pair) in x[1..].iter_mut().zip(y.windows(2)) {
        *x = ln_above(pair[0], pair[1]);
    }
}

/// Each step moves all that stands above it; from `exponential` on it is the exponential of its
/// coordinate.
fn pull_steps<T: Real>(x: &[T], y_bar: &[T], x_bar: &mut [T], exponential: usize) {
    let mut above = T::from_f64(0.0);
    for k in (0..x.len()).rev() {
        above = above + y_bar[k];
        x_bar[k] = if k < exponential {
            above
        } else {
            product(above, x[k].exp())
        };
    }
}
