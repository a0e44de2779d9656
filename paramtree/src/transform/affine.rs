//! Location and scale.

use super::elementwise::Elementwise;
use crate::real::Real;
use crate::refusal::{Digits, Refusal};

/// Any number, in units of a scale around a location.
///
/// | | |
/// |---|---|
/// | value | y = loc + scale x |
/// | domain | (-∞, ∞); below a scale of 1, what the largest finite x reaches |
/// | log-det | n ln \|scale\| |
///
/// A negative scale is allowed. Source: Stan Reference Manual, "Constraint Transforms", affinely
/// transformed scalar (offset and multiplier).
///
/// ```
/// use paramtree::transform::{Affine, Transform};
///
/// let mut y = [0.0];
/// Affine::new(20, 5).constrain(&[-1.5], &mut y, &[]);
/// assert_eq!(y, [12.5]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    loc: f64,
    scale: f64,
}

impl Affine {
    /// The map x → loc + scale x.
    ///
    /// A scale that is zero or not finite is reported where the transform is used.
    ///
    /// ```
    /// use paramtree::transform::{Affine, Transform};
    ///
    /// assert!(Transform::<f64>::unconstrained_len(&Affine::new(0, 0), &[]).is_err());
    /// ```
    #[must_use]
    pub fn new(loc: impl Into<f64>, scale: impl Into<f64>) -> Self {
        Self {
            loc: loc.into(),
            scale: scale.into(),
        }
    }

    fn parts<T: Real>(self) -> (T, T) {
        (T::from_f64(self.loc), T::from_f64(self.scale))
    }
}

impl<T: Real> Elementwise<T> for Affine {
    fn name(&self) -> String {
        format!("Affine({}, {})", Digits(self.loc), Digits(self.scale))
    }

    fn check(&self) -> Result<(), Refusal> {
        let (loc, scale) = self.parts::<T>();
        if !loc.is_finite() {
            let reason = format!("the location {} is not finite", Digits(self.loc));
            return Err(Refusal::parameter(reason));
        }
        if !scale.is_finite() || scale == T::from_f64(0.0) {
            let reason = format!("the scale {} is not finite and nonzero", Digits(self.scale));
            return Err(Refusal::parameter(reason));
        }
        Ok(())
    }

    fn increasing(&self) -> bool {
        self.scale > 0.0
    }

    fn domain(&self) -> (f64, f64) {
        let half = T::from_f64(0.5);
        let (loc, scale) = self.parts::<T>();
        let reach = T::largest() * half * scale.abs();
        let end = |loc: T| {
            let end = (loc * half + reach) / half;
            if end < T::largest() {
                end.to_f64()
            } else {
                f64::INFINITY
            }
        };
        (-end(-loc), end(loc))
    }

    #[inline]
    fn value(&self, x: T) -> T {
        let (loc, scale) = self.parts::<T>();
        if is_moderate(loc) {
            return loc + scale * x;
        }
        let half = T::from_f64(0.5);
        (loc * half + scale * (x * half)) / half
    }

    #[inline]
    fn inverse(&self, y: T) -> T {
        let (loc, scale) = self.parts::<T>();
        if is_moderate(loc) {
            return (y - loc) / scale;
        }
        let half = T::from_f64(0.5);
        (y * half - loc * half) / scale / half
    }

    #[inline]
    fn derivative(&self, _x: T) -> T {
        T::from_f64(self.scale)
    }

    #[inline]
    fn log_derivative(&self, _x: T) -> T {
        T::from_f64(self.scale).abs().ln()
    }

    #[inline]
    fn log_derivative_slope(&self, _x: T) -> T {
        T::from_f64(0.0)
    }
}

/// Whether no finite number overflows when `loc` is taken from it. Otherwise halves are added.
#[inline]
fn is_moderate<T: Real>(loc: T) -> bool {
    loc.abs() <= T::largest() * T::from_f64(1e-20)
}
