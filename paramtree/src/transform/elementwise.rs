//! Scalar maps, and all that follows from one.

use super::{Transform, type_name};
use crate::real::Real;
use crate::refusal::{Digits, Refusal};

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
        let (lower, upper) = bounds::<T, E>(self);
        for (y, &x) in y.iter_mut().zip(x) {
            *y = self.value(x).clamp_open(lower, upper);
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
        for ((x_bar, &y_bar), &x) in x_bar.iter_mut().zip(y_bar).zip(x) {
            *x_bar = product(y_bar, self.derivative(x));
        }
    }

    fn log_abs_det_jacobian(&self, x: &[T], _shape: &[usize]) -> T {
        sum(x, &|x| self.log_derivative(x))
    }

    #[inline]
    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], _shape: &[usize]) {
        check_lengths(x.len(), grad.len());
        for (grad, &x) in grad.iter_mut().zip(x) {
            *grad = *grad + self.log_derivative_slope(x);
        }
    }
}

/// The ends of the domain as the element type has them.
#[inline]
fn bounds<T: Real, E: Elementwise<T> + ?Sized>(map: &E) -> (T, T) {
    let (lower, upper) = map.domain();
    (T::from_f64(lower), T::from_f64(upper))
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

pub(super) fn check_usable<T: Real, E: Elementwise<T> + ?Sized>(map: &E) -> Result<(), Refusal> {
    map.check()?;
    check_bounds::<T>(map.domain())
}

/// Whether a number of the type lies between the bounds.
pub(super) fn check_bounds<T: Real>((lower, upper): (f64, f64)) -> Result<(), Refusal> {
    let (low, high) = (T::from_f64(lower), T::from_f64(upper));
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
pub(super) fn check_inside<T: Real>(y: &[T], (lower, upper): (f64, f64)) -> Result<(), Refusal> {
    let (lower, upper) = (T::from_f64(lower), T::from_f64(upper));
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

/// Pairwise: the rounding error grows with the logarithm of the length, which `f32` needs.
fn sum<T: Real>(x: &[T], term: &impl Fn(T) -> T) -> T {
    if x.len() <= 128 {
        return x.iter().fold(T::from_f64(0.0), |sum, &x| sum + term(x));
    }
    let (left, right) = x.split_at(x.len() / 2);
    sum(left, term) + sum(right, term)
}
