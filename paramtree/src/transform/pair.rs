//! Numbers with twice the digits, where an exponential would make much of the missing ones.

use super::count;
use crate::real::Real;

/// A number and what rounding has taken from it.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Pair<T>(pub(super) T, pub(super) T);

impl<T: Real> Pair<T> {
    /// a + b (Knuth's two-sum).
    #[inline]
    pub(super) fn sum(a: T, b: T) -> Self {
        let sum = a + b;
        let b_part = sum - a;
        Self(sum, (a - (sum - b_part)) + (b - b_part))
    }

    #[inline]
    pub(super) fn product(a: T, b: T) -> Self {
        let product = a * b;
        Self(product, a.mul_add(b, -product))
    }

    /// 1 / √(n(n+1)): the rounded root, and one step of Newton's method for the rest.
    #[inline]
    pub(super) fn inverse_root(n: usize) -> Self {
        let n: f64 = count(n);
        let square = n * (n + 1.0);
        let root = 1.0 / square.sqrt();
        let Pair(inverse, rest) = Pair::product(root, root);
        let Pair(one, one_rest) = Pair::product(square, inverse);
        let missing = root * 0.5 * ((1.0 - one) - one_rest - square * rest);
        let head = T::from_f64(root);
        Self(head, T::from_f64((root - head.to_f64()) + missing))
    }

    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        let Self(head, rest) = Self::sum(self.0, other.0);
        if !head.is_finite() {
            return Self(head, T::from_f64(0.0));
        }
        Self(head, rest + (self.1 + other.1)).settled()
    }

    #[inline]
    pub(super) fn times(self, factor: T) -> Self {
        let Self(head, rest) = Self::product(self.0, factor);
        Self(head, rest + self.1 * factor).settled()
    }

    /// With a rest of at most half the last digit of the head, so that pairs compare by parts.
    #[inline]
    fn settled(self) -> Self {
        let head = self.0 + self.1;
        Self(head, (self.0 - head) + self.1)
    }

    #[inline]
    pub(super) fn minus(self) -> Self {
        Self(-self.0, -self.1)
    }

    /// e to the power of this, with the digits of one number.
    #[inline]
    pub(super) fn exp(self) -> T {
        let exp = self.0.exp();
        exp + exp * self.1
    }
}
