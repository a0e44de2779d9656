//! Why a transform refuses.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// Why a transform refuses a value or its own parameters.
///
/// ```
/// use paramtree::Refusal;
/// use paramtree::transform::{Interval, Transform};
///
/// let mut x = [0.0; 2];
/// let refusal = Interval::new(0, 1).unconstrain(&[0.5, 1.5], &mut x, &[2]).unwrap_err();
///
/// assert_eq!(refusal, Refusal::OutOfDomain { index: 1, value: 1.5, lower: 0.0, upper: 1.0 });
/// assert_eq!(refusal.to_string(), "1.5 is outside the open interval (0, 1)");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// A natural value outside the open interval that the transform maps onto, or NaN.
    OutOfDomain {
        /// Where it stands in the leaf, in row-major order.
        index: usize,
        /// The value.
        value: f64,
        /// The value must be greater than this.
        lower: f64,
        /// The value must be less than this.
        upper: f64,
    },
    /// A natural value in the domain for which the inverse gave no finite coordinate: a fault of
    /// the transform, which may have written the coordinates before this one.
    NoCoordinate {
        /// Where it stands in the leaf, in row-major order.
        index: usize,
        /// The value.
        value: f64,
    },
    /// Parameters that make no transform.
    Parameter {
        /// What is wrong with them: "the lower bound 2 is not below the upper bound 1".
        reason: Cow<'static, str>,
    },
}

impl Refusal {
    /// Parameters that make no transform, for this reason.
    ///
    /// ```
    /// use paramtree::Refusal;
    ///
    /// let refusal = Refusal::parameter("the period 0 is not positive");
    /// assert_eq!(refusal.to_string(), "the period 0 is not positive");
    /// ```
    pub fn parameter(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Parameter {
            reason: reason.into(),
        }
    }

    /// Where the refused value stands in the leaf, in row-major order.
    ///
    /// ```
    /// use paramtree::transform::{Positive, Transform};
    ///
    /// let refusal = Positive.unconstrain(&[1.0, 0.0], &mut [0.0; 2], &[2]).unwrap_err();
    /// assert_eq!(refusal.index(), Some(1));
    /// ```
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        match self {
            Self::OutOfDomain { index, .. } | Self::NoCoordinate { index, .. } => Some(*index),
            Self::Parameter { .. } => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfDomain {
                value,
                lower,
                upper,
                ..
            } => write!(
                f,
                "{} is outside the open interval ({}, {})",
                Digits(*value),
                Digits(*lower),
                Digits(*upper),
            ),
            Self::NoCoordinate { value, .. } => {
                write!(
                    f,
                    "{} has no finite unconstrained coordinate",
                    Digits(*value)
                )
            }
            Self::Parameter { reason } => f.write_str(reason),
        }
    }
}

impl Error for Refusal {}

/// A number with all its digits and no more: `2`, `0.1`, `1e-300`.
pub(crate) struct Digits(pub(crate) f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = *self;
        let plain = value == 0.0 || !value.is_finite() || (1e-5..1e17).contains(&value.abs());
        if plain {
            write!(f, "{value}")
        } else {
            write!(f, "{value:e}")
        }
    }
}
