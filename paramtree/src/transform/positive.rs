//! Positive numbers, two ways.

use super::elementwise::Elementwise;
use super::logistic::{logistic, softplus, softplus_inverse};
use crate::real::Real;

/// Positive numbers through the exponential.
///
/// | | |
/// |---|---|
/// | value | y = exp x |
/// | domain | (0, ∞) |
/// | log-det | Σ x |
///
/// What underflows or overflows is stored as the smallest or the largest number of the type; the
/// log-det stays exact. Source: Stan Reference Manual, "Constraint Transforms", lower bounded
/// scalar, with the bound 0.
///
/// ```
/// use paramtree::transform::{Positive, Transform};
///
/// let mut y = [0.0; 3];
/// Positive.constrain(&[-1000.0, 0.0, 1000.0], &mut y, &[3]);
/// assert_eq!(y, [5e-324, 1.0, f64::MAX]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Positive;

impl<T: Real> Elementwise<T> for Positive {
    fn domain(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    #[inline]
    fn value(&self, x: T) -> T {
        x.exp()
    }

    #[inline]
    fn inverse(&self, y: T) -> T {
        y.ln()
    }

    #[inline]
    fn derivative(&self, x: T) -> T {
        x.exp()
    }

    #[inline]
    fn log_derivative(&self, x: T) -> T {
        x
    }

    #[inline]
    fn log_derivative_slope(&self, _x: T) -> T {
        T::from_f64(1.0)
    }
}

/// Positive numbers through the softplus, which is linear for large values.
///
/// | | |
/// |---|---|
/// | value | y = ln(1 + exp x), as max(x, 0) + ln(1 + exp(-\|x\|)) |
/// | inverse | y ≤ 1: ln(exp y - 1), else y + ln(1 - exp(-y)) |
/// | domain | (0, ∞) |
/// | log-det | -Σ softplus(-x) |
///
/// Source: Dugas et al., "Incorporating second-order functional knowledge for better option
/// pricing" (2000); the default for positive parameters in `GPflow` and `GPJax`.
///
/// ```
/// use paramtree::transform::{Softplus, Transform};
///
/// let mut x = [0.0; 2];
/// Softplus.unconstrain(&[1e-20, 1000.0], &mut x, &[2])?;
/// assert_eq!(x, [-46.051701859880914, 1000.0]);
/// # Ok::<(), paramtree::Refusal>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softplus;

impl<T: Real> Elementwise<T> for Softplus {
    fn domain(&self) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }

    #[inline]
    fn value(&self, x: T) -> T {
        softplus(x)
    }

    #[inline]
    fn inverse(&self, y: T) -> T {
        softplus_inverse(y)
    }

    #[inline]
    fn derivative(&self, x: T) -> T {
        logistic(x)
    }

    #[inline]
    fn log_derivative(&self, x: T) -> T {
        -softplus(-x)
    }

    #[inline]
    fn log_derivative_slope(&self, x: T) -> T {
        logistic(-x)
    }
}
