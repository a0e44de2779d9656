//! Arithmetic with twice the digits, where a result is a difference of what has rounded.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::number::Number;
use super::pair::Pair;
use crate::real::Real;

/// The unevaluated sum of a number and what rounding left of it.
///
/// The operations are those of Dekker, "A floating-point technique for extending the available
/// precision" (1971). Of another scalar than `f32` and `f64` a product is rounded as that scalar
/// rounds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twice<T> {
    high: T,
    low: T,
}

impl<T: Real> Twice<T> {
    pub(super) fn new(value: T) -> Self {
        Self {
            high: value,
            low: T::from_f64(0.0),
        }
    }

    /// Rounded to the plain type.
    pub(super) fn rounded(self) -> T {
        self.high
    }

    /// Of a positive number.
    pub(super) fn sqrt(self) -> Self {
        let root = self.high.sqrt();
        let rest = (self - product(root, root)).high;
        quick_sum(root, rest / (root + root))
    }
}

/// a + b for |a| ≥ |b|.
fn quick_sum<T: Real>(a: T, b: T) -> Twice<T> {
    let high = a + b;
    Twice {
        high,
        low: b - (high - a),
    }
}

fn sum<T: Real>(a: T, b: T) -> Twice<T> {
    let Pair(high, low) = Pair::sum(a, b);
    Twice { high, low }
}

fn product<T: Real>(a: T, b: T) -> Twice<T> {
    let Pair(high, low) = Pair::product(a, b);
    Twice { high, low }
}

impl<T: Real> Add for Twice<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (high, low) = (sum(self.high, other.high), sum(self.low, other.low));
        let carried = quick_sum(high.high, high.low + low.high);
        quick_sum(carried.high, carried.low + low.low)
    }
}

impl<T: Real> Sub for Twice<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<T: Real> Mul for Twice<T> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let Twice { high, low } = product(self.high, other.high);
        quick_sum(high, low + (self.high * other.low + self.low * other.high))
    }
}

impl<T: Real> Div for Twice<T> {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::new(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::new(second);
        quick_sum(first, second) + Self::new(rest.high / other.high)
    }
}

impl<T: Real> Neg for Twice<T> {
    type Output = Self;

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
