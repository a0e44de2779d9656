//! Numbers between two bounds.

use super::elementwise::Elementwise;
use super::logistic::{log_logistic_slope, log_ratio, logistic, logistic_slope, tanh_half};
use crate::real::Real;
use crate::refusal::{Digits, Refusal};

/// Numbers between zero and one.
///
/// | | |
/// |---|---|
/// | value | y = logistic x = 1 / (1 + exp(-x)) |
/// | inverse | ln(y / (1 - y)), near 1/2 as ln(1 + (2y - 1) / (1 - y)) |
/// | domain | (0, 1) |
/// | log-det | -Σ (\|x\| + 2 ln(1 + exp(-\|x\|))) |
///
/// Source: Stan Reference Manual, "Constraint Transforms", logit transform of a lower and upper
/// bounded scalar.
///
/// ```
/// use paramtree::transform::{Transform, UnitInterval};
///
/// let mut y = [0.0; 3];
/// UnitInterval.constrain(&[-40.0, 0.0, 40.0], &mut y, &[3]);
/// assert_eq!(y, [4.248354255291589e-18, 0.5, 0.9999999999999999]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitInterval;

impl<T: Real> Elementwise<T> for UnitInterval {
    fn increasing(&self) -> bool {
        true
    }

    fn domain(&self) -> (f64, f64) {
        (0.0, 1.0)
    }

    #[inline]
    fn value(&self, x: T) -> T {
        logistic(x)
    }

    #[inline]
    fn inverse(&self, y: T) -> T {
        let one = T::from_f64(1.0);
        log_ratio(y, one - y, y + y - one)
    }

    #[inline]
    fn derivative(&self, x: T) -> T {
        logistic_slope(x)
    }

    #[inline]
    fn log_derivative(&self, x: T) -> T {
        log_logistic_slope(x)
    }

    #[inline]
    fn log_derivative_slope(&self, x: T) -> T {
        -tanh_half(x)
    }
}

/// Numbers between two bounds.
///
/// | | |
/// |---|---|
/// | value | y = a + (b - a) logistic x, from the bound or the midpoint that is nearer |
/// | inverse | ln((y - a) / (b - y)) |
/// | domain | (a, b) |
/// | log-det | n ln(b - a) - Σ (\|x\| + 2 ln(1 + exp(-\|x\|))) |
///
/// Bounds of unlike size and widths up to twice the largest number keep their digits. Where the
/// bounds have different signs, y is exact to the last digit of the width near zero, not of y; at
/// |x| = 1, where the forms meet, y may step back by its last digit. Source: Stan Reference
/// Manual, "Constraint Transforms", lower and upper bounded scalar.
///
/// ```
/// use paramtree::transform::{Interval, Transform};
///
/// let mut y = [0.0; 3];
/// Interval::new(-1, 1e-7).constrain(&[-800.0, 0.0, 40.0], &mut y, &[3]);
/// assert_eq!(y, [-0.9999999999999999, -0.49999995, 9.999999999575164e-8]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    lower: f64,
    upper: f64,
}

impl Interval {
    /// The map of the line onto (lower, upper).
    ///
    /// Bounds that are not finite or in the wrong order are reported where the transform is used.
    ///
    /// ```
    /// use paramtree::transform::{Interval, Transform};
    ///
    /// let refusal = Transform::<f64>::unconstrained_len(&Interval::new(2, 1), &[]).unwrap_err();
    /// assert_eq!(refusal.to_string(), "the lower bound 2 is not below the upper bound 1");
    /// ```
    #[must_use]
    pub fn new(lower: impl Into<f64>, upper: impl Into<f64>) -> Self {
        Self {
            lower: lower.into(),
            upper: upper.into(),
        }
    }

    fn ends<T: Real>(self) -> (T, T) {
        (T::from_f64(self.lower), T::from_f64(self.upper))
    }

    #[inline]
    fn span<T: Real>(self) -> Span<T> {
        let (lower, upper) = self.ends::<T>();
        let (half, one) = (T::from_f64(0.5), T::from_f64(1.0));
        let width = upper - lower;
        if width.is_finite() {
            return Span {
                unit: width,
                units: one,
            };
        }
        Span {
            unit: upper * half - lower * half,
            units: one / half,
        }
    }

    #[inline]
    fn middle<T: Real>(self) -> T {
        let (lower, upper) = self.ends::<T>();
        let half = T::from_f64(0.5);
        let sum = lower + upper;
        if sum.is_finite() {
            sum * half
        } else {
            lower * half + upper * half
        }
    }
}

/// The width of an interval as one unit, or as two where the width itself overflows.
#[derive(Clone, Copy)]
struct Span<T> {
    unit: T,
    units: T,
}

impl<T: Real> Span<T> {
    /// The width times `part`.
    #[inline]
    fn times(self, part: T) -> T {
        self.unit * (self.units * part)
    }

    /// The width times `part`, which is exp(-distance) where it has lost digits to underflow: in
    /// the product with a wide interval they may be there again.
    #[inline]
    fn times_tail(self, part: T, distance: T) -> T {
        if part >= T::smallest_normal() {
            return self.times(part);
        }
        self.times_exp(-distance)
    }

    // A call, so that no loop is made that takes this exponential of every element.
    #[cold]
    #[inline(never)]
    fn times_exp(self, x: T) -> T {
        let root = (x * T::from_f64(0.5)).exp();
        self.times(root) * root
    }

    #[inline]
    fn slope(self, x: T) -> T {
        self.times_tail(logistic_slope(x), x.abs())
    }

    #[inline]
    fn ln(self) -> T {
        self.unit.ln() + self.units.ln()
    }
}

impl<T: Real> Elementwise<T> for Interval {
    fn name(&self) -> String {
        format!("Interval({}, {})", Digits(self.lower), Digits(self.upper))
    }

    fn check(&self) -> Result<(), Refusal> {
        for bound in [self.lower, self.upper] {
            if !T::from_f64(bound).is_finite() {
                let reason = format!("the bound {} is not finite", Digits(bound));
                return Err(Refusal::parameter(reason));
            }
        }
        if self.lower < self.upper {
            return Ok(());
        }
        Err(Refusal::parameter(format!(
            "the lower bound {} is not below the upper bound {}",
            Digits(self.lower),
            Digits(self.upper)
        )))
    }

    fn increasing(&self) -> bool {
        true
    }

    fn domain(&self) -> (f64, f64) {
        (self.lower, self.upper)
    }

    #[inline]
    fn value(&self, x: T) -> T {
        let (lower, upper) = self.ends::<T>();
        let distance = x.abs();
        if distance < T::from_f64(1.0) {
            let half = T::from_f64(0.5);
            return self.middle::<T>() + self.span().times(half * tanh_half(x));
        }
        let step = self.span().times_tail(logistic(-distance), distance);
        if x < T::from_f64(0.0) {
            lower + step
        } else {
            upper - step
        }
    }

    #[inline]
    fn inverse(&self, y: T) -> T {
        let (lower, upper) = self.ends::<T>();
        // In halves where the width overflows, so that no difference does.
        let unit = T::from_f64(1.0) / self.span::<T>().units;
        let (below, above) = (y * unit - lower * unit, upper * unit - y * unit);
        log_ratio(below, above, below - above)
    }

    #[inline]
    fn derivative(&self, x: T) -> T {
        self.span().slope(x)
    }

    // As long as the slope has its digits, its logarithm is more exact than the sum, whose terms
    // may cancel.
    #[inline]
    fn log_derivative(&self, x: T) -> T {
        let span = self.span::<T>();
        let slope = span.slope(x);
        if slope >= T::smallest_normal() {
            slope.ln()
        } else {
            span.ln() + log_logistic_slope(x)
        }
    }

    #[inline]
    fn log_derivative_slope(&self, x: T) -> T {
        -tanh_half(x)
    }
}
