//! One correlation.

use std::f64::consts::LN_2;

use super::elementwise::Elementwise;
use super::logistic::{logistic_slope, tanh_half};
use crate::real::Real;

/// Numbers between -1 and 1 through the hyperbolic tangent.
///
/// | | |
/// |---|---|
/// | value | y = tanh x |
/// | inverse | atanh y |
/// | domain | (-1, 1) |
/// | log-det | -2 Σ ln cosh x, from x, with all digits at 0 and where tanh rounds to 1 |
///
/// Source: Stan Reference Manual, "Constraint Transforms", correlation matrices, where it maps a
/// partial correlation; Stan's `corr_constrain`.
///
/// ```
/// use paramtree::transform::{Correlation, Transform};
///
/// let mut y = [0.0; 2];
/// Correlation.constrain(&[0.0, 20.0], &mut y, &[2]);
/// assert_eq!(y, [0.0, 0.9999999999999999]);
/// assert_eq!(Correlation.log_abs_det_jacobian(&[20.0], &[]), -38.61370563888011);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation;

impl<T: Real> Elementwise<T> for Correlation {
    fn increasing(&self) -> bool {
        true
    }

    fn domain(&self) -> (f64, f64) {
        (-1.0, 1.0)
    }

    #[inline]
    fn value(&self, x: T) -> T {
        tanh_half(x + x)
    }

    #[inline]
    fn inverse(&self, y: T) -> T {
        let half = T::from_f64(0.5);
        let (one, magnitude) = (T::from_f64(1.0), y.abs());
        let x = half * ((magnitude + magnitude) / (one - magnitude)).ln_1p();
        if y < T::from_f64(0.0) { -x } else { x }
    }

    #[inline]
    fn derivative(&self, x: T) -> T {
        T::from_f64(4.0) * logistic_slope(x + x)
    }

    #[inline]
    fn log_derivative(&self, x: T) -> T {
        -T::from_f64(2.0) * ln_cosh(x)
    }

    #[inline]
    fn log_derivative_slope(&self, x: T) -> T {
        -T::from_f64(2.0) * tanh_half(x + x)
    }
}

/// Near zero cosh x = 1 + 2 sinh²(x/2), elsewhere exp(|x|) (1 + exp(-2|x|)) / 2.
#[inline]
pub(super) fn ln_cosh<T: Real>(x: T) -> T {
    let (one, two, x) = (T::from_f64(1.0), T::from_f64(2.0), x.abs());
    if x < one {
        let rise = (x / two).exp_m1();
        let sinh = (rise + rise / (rise + one)) / two;
        return (two * sinh * sinh).ln_1p();
    }
    x + ((-(x + x)).exp().ln_1p() - T::from_f64(LN_2))
}
