//! Scalar maps, and all that follows from one.

use std::ops::Range;

use super::event::total;
use super::{Transform, rounded, type_name};
use crate::real::Real;
use crate::refusal::{Digits, Refusal};

/// How many elements at once, where a loop is followed by another over what it has made.
pub(super) const PIECE: usize = 64;

/// A smooth, strictly monotone map of the line onto an open interval, applied to each element.
///
/// Whatever implements it for `f64`, and maybe for more, is a [`Transform`]: the rest (domain checks, refusals, sums, and keeping
/// what rounds to a bound inside it) comes from here. The formulas take the unconstrained `x`, so
/// that they stay exact where the natural value has no digits left, and are generic, so that
/// `f32`, `f64` and dual numbers pass through.
///
/// # A transform of your own
///
/// A decay rate whose coordinate is the logarithm of its half-life, y = ln 2 exp(-x):
///
/// ```
/// use paramtree::transform::{Elementwise, Transform};
/// use paramtree::{Real, Refusal};
/// use std::f64::consts::LN_2;
///
/// struct HalfLife;
///
/// impl<T: Real> Elementwise<T> for HalfLife {
///     fn domain(&self) -> (f64, f64) {
///         (0.0, f64::INFINITY)
///     }
///     fn value(&self, x: T) -> T {
///         T::from_f64(LN_2) * (-x).exp()
///     }
///     fn inverse(&self, y: T) -> T {
///         -(y / T::from_f64(LN_2)).ln()
///     }
///     fn derivative(&self, x: T) -> T {
///         -self.value(x)
///     }
///     fn log_derivative(&self, x: T) -> T {
///         T::from_f64(LN_2.ln()) - x
///     }
///     fn log_derivative_slope(&self, _x: T) -> T {
///         T::from_f64(-1.0)
///     }
/// }
///
/// let mut rate = [0.0; 2];
/// HalfLife.constrain(&[10.0_f64.ln(), 1000.0], &mut rate, &[2]);
/// assert!((rate[0] - LN_2 / 10.0).abs() < 1e-15);
/// assert!(rate[1] > 0.0, "rounds to zero, and is kept inside the domain");
///
/// let mut x = [0.0];
/// assert!(matches!(
///     HalfLife.unconstrain(&[-1.0], &mut x, &[1]),
///     Err(Refusal::OutOfDomain { index: 0, value: -1.0, .. })
/// ));
/// ```
pub trait Elementwise<T: Real> {
    /// What a table calls this transform: the type's name, unless it says more.
    fn name(&self) -> String {
        type_name::<Self>()
    }

    /// Whether the parameters make a transform of elements of type `T`.
    ///
    /// # Errors
    ///
    /// Says what is wrong with them. That some number lies inside the domain is checked anyway.
    fn check(&self) -> Result<(), Refusal> {
        Ok(())
    }

    /// Whether `value` grows with `x`.
    fn increasing(&self) -> bool {
        self.derivative(T::from_f64(0.0)) > T::from_f64(0.0)
    }

    /// The ends of the open interval of natural values.
    ///
    /// Each number inside must have a finite inverse.
    fn domain(&self) -> (f64, f64);

    /// The natural value of `x`; NaN for NaN.
    ///
    /// It may round to an end of the domain: `constrain` then takes the next number inside.
    fn value(&self, x: T) -> T;

    /// The `x` of a natural value in the domain.
    fn inverse(&self, y: T) -> T;

    /// The derivative of `value` at `x`.
    fn derivative(&self, x: T) -> T;

    /// The logarithm of the derivative's magnitude at `x`.
    fn log_derivative(&self, x: T) -> T;

    /// The derivative of `log_derivative` at `x`.
    fn log_derivative_slope(&self, x: T) -> T;
}

impl<T: Real, E: Elementwise<T> + ?Sized> Elementwise<T> for &E {
    fn name(&self) -> String {
        (**self).name()
    }

    fn check(&self) -> Result<(), Refusal> {
        (**self).check()
    }

    fn increasing(&self) -> bool {
        (**self).increasing()
    }

    fn domain(&self) -> (f64, f64) {
        (**self).domain()
    }

    fn value(&self, x: T) -> T {
        (**self).value(x)
    }

    fn inverse(&self, y: T) -> T {
        (**self).inverse(y)
    }

    fn derivative(&self, x: T) -> T {
        (**self).derivative(x)
    }

    fn log_derivative(&self, x: T) -> T {
        (**self).log_derivative(x)
    }

    fn log_derivative_slope(&self, x: T) -> T {
        (**self).log_derivative_slope(x)
    }
}

// `Elementwise<f64>`, because that no other crate can implement for the types of this one: what
// implements `Transform` by itself is known not to be reached from here.
#[diagnostic::do_not_recommend]
impl<T: Real, E: Elementwise<T> + Elementwise<f64> + ?Sized> Transform<T> for E {
    fn name(&self) -> String {
        Elementwise::<T>::name(self)
    }

    fn range(&self) -> (f64, f64) {
        Elementwise::<T>::domain(self)
    }

    fn is_elementwise(&self) -> bool {
        true
    }

    fn unconstrained_len(&self, shape: &[usize]) -> Result<usize, Refusal> {
        check_usable::<T, E>(self)?;
        Ok(shape.iter().product())
    }

    #[inline]
    fn constrain(&self, x: &[T], y: &mut [T], _shape: &[usize]) {
        check_lengths(x.len(), y.len());
        let ends = rounded::<T>(Elementwise::<T>::domain(self));
        for (y, x) in y.chunks_mut(PIECE).zip(x.chunks(PIECE)) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = self.value(x);
            }
            keep_inside(y, ends);
        }
    }

    fn unconstrain(&self, y: &[T], x: &mut [T], _shape: &[usize]) -> Result<(), Refusal> {
        check_lengths(x.len(), y.len());
        check_usable::<T, E>(self)?;
        check_inside(y, Elementwise::<T>::domain(self))?;
        for (index, (x, &y)) in x.iter_mut().zip(y).enumerate() {
            let coordinate = self.inverse(y);
            if !coordinate.is_finite() {
                return Err(Refusal::NoCoordinate {
                    index,
                    value: y.to_f64(),
                });
            }
            *x = coordinate;
        }
        Ok(())
    }

    #[inline]
    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], _shape: &[usize]) {
        check_lengths(x.len(), y_bar.len());
        check_lengths(x.len(), x_bar.len());
        for (i, x_bar) in x_bar.chunks_mut(PIECE).enumerate() {
            let piece = i * PIECE..i * PIECE + x_bar.len();
            let (x, y_bar) = (&x[piece.clone()], &y_bar[piece]);
            pull_back(self, x, y_bar, x_bar);
        }
    }

    // The values and the slopes in one loop, for they share the exponential.
    #[inline]
    fn vjp_from(
        &self,
        x: &[T],
        x_bar: &mut [T],
        _shape: &[usize],
        pull: impl Fn(Range<usize>, &[T], &mut [T]),
    ) where
        E: Sized,
    {
        check_lengths(x.len(), x_bar.len());
        let ends = rounded::<T>(Elementwise::<T>::domain(self));
        let (mut y, mut slope) = ([ends.0; PIECE], [ends.0; PIECE]);
        for (i, x_bar) in x_bar.chunks_mut(PIECE).enumerate() {
            let piece = i * PIECE..i * PIECE + x_bar.len();
            let (y, slope) = (&mut y[..x_bar.len()], &mut slope[..x_bar.len()]);
            for ((y, slope), &x) in y.iter_mut().zip(&mut *slope).zip(&x[piece.clone()]) {
                *y = self.value(x);
                *slope = self.derivative(x);
            }
            keep_inside(y, ends);
            pull(piece, y, x_bar);
            for (x_bar, &slope) in x_bar.iter_mut().zip(&*slope) {
                *x_bar = product(*x_bar, slope);
            }
        }
    }

    fn log_abs_det_jacobian(&self, x: &[T], _shape: &[usize]) -> T {
        total(0..x.len(), &|i| self.log_derivative(x[i]))
    }

    #[inline]
    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], _shape: &[usize]) {
        check_lengths(x.len(), grad.len());
        for (grad, &x) in grad.iter_mut().zip(x) {
            *grad = *grad + self.log_derivative_slope(x);
        }
    }
}

/// Replaces what has reached an end by the next number inside.
///
/// The values are looked at once more, as many at once as the processor can compare: nearly always
/// there is nothing to do, and the loop that made them was free of branches.
#[inline]
pub(super) fn keep_inside<T: Real>(values: &mut [T], (lower, upper): (T, T)) {
    let is_inside = |value: &T| lower < *value && *value < upper;
    // No early end, which would compare one by one.
    if !(values.iter()).fold(true, |all, value| all & is_inside(value)) {
        move_inside(values, (lower, upper));
    }
}

#[cold]
#[inline(never)]
fn move_inside<T: Real>(values: &mut [T], (lower, upper): (T, T)) {
    for value in values {
        *value = value.clamp_open(lower, upper);
    }
}

/// A product in which zero outweighs infinity: no gradient is no gradient, however steep the map.
#[inline]
pub(super) fn product<T: Real>(a: T, b: T) -> T {
    let product = a * b;
    if product.is_nan() && !a.is_nan() && !b.is_nan() {
        return T::from_f64(0.0);
    }
    product
}

/// The gradient of the coordinates `x`.
///
/// Like [`keep_inside`] it looks for what is rare after a loop free of branches.
#[inline]
fn pull_back<T: Real, E: Elementwise<T> + ?Sized>(map: &E, x: &[T], y_bar: &[T], x_bar: &mut [T]) {
    for ((x_bar, &y_bar), &x) in x_bar.iter_mut().zip(y_bar).zip(x) {
        *x_bar = y_bar * map.derivative(x);
    }
    if x_bar.iter().fold(false, |has, x_bar| has | x_bar.is_nan()) {
        for ((x_bar, &y_bar), &x) in x_bar.iter_mut().zip(y_bar).zip(x) {
            *x_bar = product(y_bar, map.derivative(x));
        }
    }
}

/// [`pull_back`] of numbers that stay finite, because what comes after may take differences.
#[inline]
pub(super) fn pull_back_finite<T: Real, E: Elementwise<T> + ?Sized>(
    map: &E,
    x: &[T],
    y_bar: &[T],
    x_bar: &mut [T],
) {
    pull_back(map, x, y_bar, x_bar);
    let infinity = T::from_f64(f64::INFINITY);
    keep_inside(x_bar, (-infinity, infinity));
}

pub(super) fn check_usable<T: Real, E: Elementwise<T> + ?Sized>(map: &E) -> Result<(), Refusal> {
    map.check()?;
    check_bounds::<T>(map.domain())
}

/// Whether a number of the type lies between the bounds.
pub(super) fn check_bounds<T: Real>((lower, upper): (f64, f64)) -> Result<(), Refusal> {
    let (low, high) = rounded::<T>((lower, upper));
    if low.clamp_open(low, high) < high {
        return Ok(());
    }
    Err(Refusal::parameter(format!(
        "no number of the leaf's type lies between {} and {}",
        Digits(lower),
        Digits(upper)
    )))
}

/// Whether all values lie between the bounds.
pub(super) fn check_inside<T: Real>(y: &[T], domain: (f64, f64)) -> Result<(), Refusal> {
    let (lower, upper) = rounded::<T>(domain);
    match y.iter().position(|&y| !(lower < y && y < upper)) {
        None => Ok(()),
        Some(index) => Err(Refusal::OutOfDomain {
            index,
            value: y[index].to_f64(),
            lower: lower.to_f64(),
            upper: upper.to_f64(),
        }),
    }
}

#[inline]
fn check_lengths(unconstrained: usize, natural: usize) {
    assert_eq!(
        unconstrained, natural,
        "an elementwise transform has as many coordinates as natural values"
    );
}
