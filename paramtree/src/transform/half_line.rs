//! Numbers on one side of a bound.

use super::elementwise::Elementwise;
use super::logistic::{logistic, softplus, softplus_inverse};
use crate::real::Real;
use crate::refusal::{Digits, Refusal};

/// Numbers above a bound.
///
/// | | `Lower::new(a)` | `Lower::softplus(a)` |
/// |---|---|---|
/// | value | y = a + exp x | y = a + softplus x |
/// | inverse | ln(y - a) | softplus⁻¹(y - a) |
/// | domain | (a, ∞) | (a, ∞) |
/// | log-det | Σ x | -Σ softplus(-x) |
///
/// Where a negative bound and the rest cancel, y is exact to the last digit of the bound, not of
/// y. Source: Stan Reference Manual, "Constraint Transforms", lower bounded scalar.
///
/// ```
/// use paramtree::transform::{Lower, Transform};
///
/// let mut y = [0.0; 2];
/// Lower::new(2).constrain(&[0.0, -1000.0], &mut y, &[2]);
/// assert_eq!(y, [3.0, 2.0000000000000004], "never the bound itself");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lower {
    bound: f64,
    base: Base,
}

/// Numbers below a bound, decreasing in the coordinate.
///
/// | | `Upper::new(b)` | `Upper::softplus(b)` |
/// |---|---|---|
/// | value | y = b - exp x | y = b - softplus x |
/// | inverse | ln(b - y) | softplus⁻¹(b - y) |
/// | domain | (-∞, b) | (-∞, b) |
/// | log-det | Σ x | -Σ softplus(-x) |
///
/// Where a positive bound and the rest cancel, y is exact to the last digit of the bound, not of
/// y: 2.5 - exp 1 errs by 5 of its own last digits, in `f32` by 6. Source: Stan Reference Manual,
/// "Constraint Transforms", upper bounded scalar.
///
/// ```
/// use paramtree::transform::{Transform, Upper};
///
/// let mut y = [0.0; 2];
/// Upper::new(2).constrain(&[0.0, -1000.0], &mut y, &[2]);
/// assert_eq!(y, [1.0, 1.9999999999999998], "never the bound itself");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Upper {
    bound: f64,
    base: Base,
}

/// How the distance from the bound follows from x.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Base {
    Exp,
    Softplus,
}

impl Lower {
    /// The map x → bound + exp x.
    ///
    /// ```
    /// use paramtree::transform::{Lower, Transform};
    ///
    /// assert_eq!(Transform::<f64>::name(&Lower::new(2)), "Lower(2)");
    /// ```
    #[must_use]
    pub fn new(bound: impl Into<f64>) -> Self {
        Self {
            bound: bound.into(),
            base: Base::Exp,
        }
    }

    /// The map x → bound + softplus x, which is linear far from the bound.
    ///
    /// ```
    /// use paramtree::transform::{Lower, Transform};
    ///
    /// let mut y = [0.0];
    /// Lower::softplus(2).constrain(&[1000.0], &mut y, &[]);
    /// assert_eq!(y, [1002.0]);
    /// ```
    #[must_use]
    pub fn softplus(bound: impl Into<f64>) -> Self {
        Self {
            bound: bound.into(),
            base: Base::Softplus,
        }
    }
}

impl Upper {
    /// The map x → bound - exp x.
    ///
    /// ```
    /// use paramtree::transform::{Transform, Upper};
    ///
    /// assert_eq!(Transform::<f64>::name(&Upper::new(2)), "Upper(2)");
    /// ```
    #[must_use]
    pub fn new(bound: impl Into<f64>) -> Self {
        Self {
            bound: bound.into(),
            base: Base::Exp,
        }
    }

    /// The map x → bound - softplus x, which is linear far from the bound.
    ///
    /// ```
    /// use paramtree::transform::{Transform, Upper};
    ///
    /// let mut y = [0.0];
    /// Upper::softplus(2).constrain(&[1000.0], &mut y, &[]);
    /// assert_eq!(y, [-998.0]);
    /// ```
    #[must_use]
    pub fn softplus(bound: impl Into<f64>) -> Self {
        Self {
            bound: bound.into(),
            base: Base::Softplus,
        }
    }
}

impl Base {
    fn name(self, side: &str, bound: f64) -> String {
        match self {
            Self::Exp => format!("{side}({})", Digits(bound)),
            Self::Softplus => format!("{side}({}, softplus)", Digits(bound)),
        }
    }

    /// The largest number above `bound` whose coordinate is finite, infinity if it is the largest.
    fn reach<T: Real>(self, bound: T) -> f64 {
        let reach = bound + T::largest();
        if self == Self::Softplus && reach < T::largest() {
            reach.to_f64()
        } else {
            f64::INFINITY
        }
    }

    #[inline]
    fn above<T: Real>(self, bound: T, x: T) -> T {
        match self {
            Self::Exp => bound_plus_exp(bound, x),
            Self::Softplus => bound + softplus(x),
        }
    }

    #[inline]
    fn coordinate<T: Real>(self, bound: T, y: T) -> T {
        match self {
            Self::Exp => ln_above(bound, y),
            Self::Softplus => softplus_inverse(y - bound),
        }
    }

    #[inline]
    fn derivative<T: Real>(self, x: T) -> T {
        match self {
            Self::Exp => x.exp(),
            Self::Softplus => logistic(x),
        }
    }

    #[inline]
    fn log_derivative<T: Real>(self, x: T) -> T {
        match self {
            Self::Exp => x,
            Self::Softplus => -softplus(-x),
        }
    }

    #[inline]
    fn log_derivative_slope<T: Real>(self, x: T) -> T {
        match self {
            Self::Exp => T::from_f64(1.0),
            Self::Softplus => logistic(-x),
        }
    }
}

/// exp x may overflow where the sum with a bound far below zero does not.
#[inline]
fn bound_plus_exp<T: Real>(bound: T, x: T) -> T {
    let exp = x.exp();
    if exp.is_finite() {
        return bound + exp;
    }
    let half = T::from_f64(0.5);
    let root = (x * half).exp();
    (bound * half + root * half * root) / half
}

/// ln(y - bound), where the difference may overflow.
#[inline]
pub(super) fn ln_above<T: Real>(bound: T, y: T) -> T {
    let above = y - bound;
    if above.is_finite() {
        return above.ln();
    }
    let half = T::from_f64(0.5);
    (y * half - bound * half).ln() - half.ln()
}

fn check_bound<T: Real>(bound: f64) -> Result<(), Refusal> {
    if T::from_f64(bound).is_finite() {
        return Ok(());
    }
    Err(Refusal::parameter(format!(
        "the bound {} is not finite",
        Digits(bound)
    )))
}

impl<T: Real> Elementwise<T> for Lower {
    fn name(&self) -> String {
        self.base.name("Lower", self.bound)
    }

    fn check(&self) -> Result<(), Refusal> {
        check_bound::<T>(self.bound)
    }

    fn increasing(&self) -> bool {
        true
    }

    fn domain(&self) -> (f64, f64) {
        let bound = T::from_f64(self.bound);
        (self.bound, self.base.reach(bound))
    }

    #[inline]
    fn value(&self, x: T) -> T {
        self.base.above(T::from_f64(self.bound), x)
    }

    #[inline]
    fn inverse(&self, y: T) -> T {
        self.base.coordinate(T::from_f64(self.bound), y)
    }

    #[inline]
    fn derivative(&self, x: T) -> T {
        self.base.derivative(x)
    }

    #[inline]
    fn log_derivative(&self, x: T) -> T {
        self.base.log_derivative(x)
    }

    #[inline]
    fn log_derivative_slope(&self, x: T) -> T {
        self.base.log_derivative_slope(x)
    }
}

// The mirror image of `Lower`; negation is exact.
impl<T: Real> Elementwise<T> for Upper {
    fn name(&self) -> String {
        self.base.name("Upper", self.bound)
    }

    fn check(&self) -> Result<(), Refusal> {
        check_bound::<T>(self.bound)
    }

    fn increasing(&self) -> bool {
        false
    }

    fn domain(&self) -> (f64, f64) {
        let bound = T::from_f64(self.bound);
        (-self.base.reach(-bound), self.bound)
    }

    #[inline]
    fn value(&self, x: T) -> T {
        -self.base.above(-T::from_f64(self.bound), x)
    }

    #[inline]
    fn inverse(&self, y: T) -> T {
        self.base.coordinate(-T::from_f64(self.bound), -y)
    }

    #[inline]
    fn derivative(&self, x: T) -> T {
        -self.base.derivative(x)
    }

    #[inline]
    fn log_derivative(&self, x: T) -> T {
        self.base.log_derivative(x)
    }

    #[inline]
    fn log_derivative_slope(&self, x: T) -> T {
        self.base.log_derivative_slope(x)
    }
}
