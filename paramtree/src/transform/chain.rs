//! One map after another.

use super::elementwise::{Elementwise, bounds, check_usable, product};
use crate::real::Real;
use crate::refusal::Refusal;

/// Two maps in a row: `constrain` applies the first, then the second.
///
/// | | |
/// |---|---|
/// | value | y = second(first(x)) |
/// | domain | what the second makes of the first's domain |
/// | log-det | Σ log-det of the first at x + of the second at first(x) |
///
/// `Chain(a, Chain(b, c))` and `Chain(Chain(a, b), c)` are the same map. Source: Stan Reference
/// Manual, "Constraint Transforms", affinely transformed bounded scalars; the order is that of
/// torch's `ComposeTransform` and flowjax's `Chain`.
///
/// ```
/// use paramtree::Refusal;
/// use paramtree::transform::{Affine, Chain, Positive, Transform};
///
/// let above_one = Chain(Positive, Affine::new(1, 2));
/// let mut y = [0.0];
/// above_one.constrain(&[0.0], &mut y, &[]);
/// assert_eq!(y, [3.0], "1 + 2 exp 0");
///
/// let refusal = above_one.unconstrain(&[0.5], &mut [0.0], &[]).unwrap_err();
/// assert_eq!(refusal.to_string(), "0.5 is outside the open interval (1, inf)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain<First, Second>(
    /// Applied first: it takes the unconstrained coordinate.
    pub First,
    /// Applied second: it gives the natural value.
    pub Second,
);

impl<First, Second> Chain<First, Second> {
    #[inline]
    fn between<T: Real>(&self, x: T) -> T
    where
        First: Elementwise<T>,
    {
        let (lower, upper) = bounds(&self.0);
        self.0.value(x).clamp_open(lower, upper)
    }
}

impl<T, First, Second> Elementwise<T> for Chain<First, Second>
where
    T: Real,
    First: Elementwise<T>,
    Second: Elementwise<T>,
{
    fn name(&self) -> String {
        format!(
            "Chain({}, {})",
            Elementwise::name(&self.0),
            Elementwise::name(&self.1)
        )
    }

    fn check(&self) -> Result<(), Refusal> {
        check_usable(&self.0)?;
        check_usable(&self.1)
    }

    fn increasing(&self) -> bool {
        self.0.increasing() == self.1.increasing()
    }

    fn domain(&self) -> (f64, f64) {
        let (start, stop) = bounds(&self.0);
        let (lower, upper) = self.1.domain();
        let image = |end: T, limit: f64| {
            if end.is_finite() {
                self.1.value(end).to_f64()
            } else {
                limit
            }
        };
        if self.1.increasing() {
            (image(start, lower), image(stop, upper))
        } else {
            (image(stop, lower), image(start, upper))
        }
    }

    #[inline]
    fn value(&self, x: T) -> T {
        self.1.value(self.between(x))
    }

    // Between the ends of the domain only rounding leads out of the first map's domain.
    #[inline]
    fn inverse(&self, y: T) -> T {
        let (lower, upper) = bounds(&self.0);
        self.0.inverse(self.1.inverse(y).clamp_open(lower, upper))
    }

    #[inline]
    fn derivative(&self, x: T) -> T {
        product(self.1.derivative(self.between(x)), self.0.derivative(x))
    }

    #[inline]
    fn log_derivative(&self, x: T) -> T {
        self.0.log_derivative(x) + self.1.log_derivative(self.between(x))
    }

    #[inline]
    fn log_derivative_slope(&self, x: T) -> T {
        let second = self.1.log_derivative_slope(self.between(x));
        self.0.log_derivative_slope(x) + product(second, self.0.derivative(x))
    }
}
