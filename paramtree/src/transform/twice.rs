//! Arithmetic with twice the digits: for differences of what has rounded, and for what an
//! exponential makes much of.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::number::Number;
use crate::real::Real;

/// The unevaluated sum of a number and what rounding left of it.
///
/// The operations are those of Dekker, "A floating-point technique for extending the available
/// precision" (1971). Of another scalar than `f32` and `f64` a product is rounded as that scalar
/// rounds it. The low part is at most half the last digit of the high one, so that numbers compare
/// by parts.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Twice<T> {
    pub(super) high: T,
    pub(super) low: T,
}

impl<T: Real> Twice<T> {
    #[inline]
    pub(super) fn new(value: T) -> Self {
        Self {
            high: value,
            low: T::from_f64(0.0),
        }
    }

    /// a + b (Knuth's two-sum).
    #[inline]
    pub(super) fn sum(a: T, b: T) -> Self {
        let high = a + b;
        let b_part = high - a;
        Self {
            high,
            low: (a - (high - b_part)) + (b - b_part),
        }
    }

    /// a + b for |a| ≥ |b|.
    #[inline]
    fn quick_sum(a: T, b: T) -> Self {
        let high = a + b;
        Self {
            high,
            low: b - (high - a),
        }
    }

    /// a b
    #[inline]
    pub(super) fn product(a: T, b: T) -> Self {
        let high = a * b;
        Self {
            high,
            low: a.mul_add(b, -high),
        }
    }

    #[inline]
    pub(super) fn times(self, factor: T) -> Self {
        let Self { high, low } = Self::product(self.high, factor);
        Self::quick_sum(high, low + self.low * factor)
    }

    /// Rounded to the plain type.
    #[inline]
    pub(super) fn rounded(self) -> T {
        self.high
    }

    /// Of a positive number.
    pub(super) fn sqrt(self) -> Self {
        let root = self.high.sqrt();
        let rest = (self - Self::product(root, root)).high;
        Self::quick_sum(root, rest / (root + root))
    }

    /// e to the power of this, with the digits of one number.
    #[inline]
    pub(super) fn exp(self) -> T {
        let exp = self.high.exp();
        exp + exp * self.low
    }
}

impl<T: Real> Add for Twice<T> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        let low = Self::sum(self.low, other.low);
        let carried = Self::quick_sum(high.high, high.low + low.high);
        Self::quick_sum(carried.high, carried.low + low.low)
    }
}

impl<T: Real> Sub for Twice<T> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<T: Real> Mul for Twice<T> {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let Self { high, low } = Self::product(self.high, other.high);
        Self::quick_sum(high, low + (self.high * other.low + self.low * other.high))
    }
}

impl<T: Real> Div for Twice<T> {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other.times(first);
        let second = rest.high / other.high;
        let rest = rest - other.times(second);
        Self::quick_sum(first, second) + Self::new(rest.high / other.high)
    }
}

impl<T: Real> Neg for Twice<T> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl<T: Real> Number for Twice<T> {
    fn constant(value: f64) -> Self {
        Self::new(T::from_f64(value))
    }

    fn value(self) -> f64 {
        self.high.to_f64()
    }
}
