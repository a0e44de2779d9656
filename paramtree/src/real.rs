//! The scalar arithmetic of transforms.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The scalar arithmetic that transforms are written in.
///
/// `f32` and `f64` have it. A dual number that implements it passes through every transform and
/// carries its derivative with it: comparisons look at the value only, and
/// [`from_f64`](Real::from_f64) makes a constant.
///
/// ```
/// use paramtree::Real;
///
/// fn logistic<T: Real>(x: T) -> T {
///     let one = T::from_f64(1.0);
///     one / (one + (-x).exp())
/// }
///
/// assert_eq!(logistic(0.0_f64), 0.5);
/// assert_eq!(logistic(0.0_f32), 0.5);
/// ```
pub trait Real:
    Copy
    + PartialOrd
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// The constant `value`, rounded to this type.
    fn from_f64(value: f64) -> Self;

    /// The value, without derivatives.
    fn to_f64(self) -> f64;

    /// e to the power of `self`.
    #[must_use]
    fn exp(self) -> Self;

    /// `exp(self) - 1`, exact near zero.
    #[must_use]
    fn exp_m1(self) -> Self;

    /// The natural logarithm.
    #[must_use]
    fn ln(self) -> Self;

    /// `ln(1 + self)`, exact near zero.
    #[must_use]
    fn ln_1p(self) -> Self;

    /// The square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// The largest finite number of this type.
    fn largest() -> Self;

    /// The smallest positive number that still has all its digits.
    fn smallest_normal() -> Self;

    /// `self` within the open interval: what reaches a bound becomes the next number inside it,
    /// NaN stays NaN.
    ///
    /// Only the value moves. A dual number keeps its derivatives.
    ///
    /// ```
    /// use paramtree::Real;
    ///
    /// assert_eq!(1.0_f64.clamp_open(0.0, 1.0), 1.0 - f64::EPSILON / 2.0);
    /// assert_eq!(f64::INFINITY.clamp_open(0.0, f64::INFINITY), f64::MAX);
    /// ```
    #[must_use]
    fn clamp_open(self, lower: Self, upper: Self) -> Self;

    /// `self * factor + term`, rounded once by `f32` and `f64`: the rounding error of a product
    /// is one, too.
    #[must_use]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }

    /// The distance from 1 to the next greater number.
    #[must_use]
    fn epsilon() -> Self {
        let one = Self::from_f64(1.0);
        one.clamp_open(one, Self::from_f64(f64::INFINITY)) - one
    }

    /// The magnitude.
    #[must_use]
    fn abs(self) -> Self {
        if self < Self::from_f64(0.0) {
            -self
        } else {
            self
        }
    }

    /// Whether the value is neither infinite nor NaN.
    fn is_finite(self) -> bool {
        self.to_f64().is_finite()
    }

    /// Whether the value is NaN.
    fn is_nan(self) -> bool {
        self.to_f64().is_nan()
    }
}

macro_rules! impl_real {
    ($($float:ident)*) => {$(
        impl Real for $float {
            #[inline]
            #[allow(clippy::cast_possible_truncation, reason = "asked for")]
            fn from_f64(value: f64) -> Self {
                value as $float
            }

            #[inline]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }

            #[inline]
            fn exp(self) -> Self {
                $float::exp(self)
            }

            #[inline]
            fn exp_m1(self) -> Self {
                $float::exp_m1(self)
            }

            #[inline]
            fn ln(self) -> Self {
                $float::ln(self)
            }

            #[inline]
            fn ln_1p(self) -> Self {
                $float::ln_1p(self)
            }

            #[inline]
            fn sqrt(self) -> Self {
                $float::sqrt(self)
            }

            #[inline]
            fn largest() -> Self {
                $float::MAX
            }

            #[inline]
            fn smallest_normal() -> Self {
                $float::MIN_POSITIVE
            }

            #[inline]
            fn clamp_open(self, lower: Self, upper: Self) -> Self {
                if self <= lower {
                    lower.next_up()
                } else if self >= upper {
                    upper.next_down()
                } else {
                    self
                }
            }

            #[inline]
            fn mul_add(self, factor: Self, term: Self) -> Self {
                $float::mul_add(self, factor, term)
            }

            #[inline]
            fn epsilon() -> Self {
                $float::EPSILON
            }

            #[inline]
            fn abs(self) -> Self {
                $float::abs(self)
            }

            #[inline]
            fn is_finite(self) -> bool {
                $float::is_finite(self)
            }

            #[inline]
            fn is_nan(self) -> bool {
                $float::is_nan(self)
            }
        }
    )*};
}

impl_real!(f32 f64);
