//! Numbers that small matrices are made of: those of a leaf, and pairs of them.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::real::Real;

/// The arithmetic of elimination and matrix functions.
pub(super) trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn constant(value: f64) -> Self;

    /// The value alone, by which pivots are chosen and iterations end.
    fn value(self) -> f64;
}

impl<T: Real> Number for T {
    #[inline]
    fn constant(value: f64) -> Self {
        T::from_f64(value)
    }

    #[inline]
    fn value(self) -> f64 {
        self.to_f64()
    }
}

/// A value and its derivative in one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet<T> {
    pub(super) value: T,
    pub(super) slope: T,
}

impl<T: Real> Add for Jet<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            slope: self.slope + other.slope,
        }
    }
}

impl<T: Real> Sub for Jet<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<T: Real> Mul for Jet<T> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            slope: self.slope * other.value + self.value * other.slope,
        }
    }
}

impl<T: Real> Div for Jet<T> {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self {
            value,
            slope: (self.slope - value * other.slope) / other.value,
        }
    }
}

impl<T: Real> Neg for Jet<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            value: -self.value,
            slope: -self.slope,
        }
    }
}

impl<T: Real> Number for Jet<T> {
    fn constant(value: f64) -> Self {
        Self {
            value: T::from_f64(value),
            slope: T::from_f64(0.0),
        }
    }

    fn value(self) -> f64 {
        self.value.to_f64()
    }
}
