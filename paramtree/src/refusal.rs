//! Why a transform refuses.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// Why a transform refuses a value, a shape or its own parameters.
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
    /// A natural value of an increasing vector that is not greater than the one before it.
    NotIncreasing {
        /// Where it stands in the leaf, in row-major order.
        index: usize,
        /// The value.
        value: f64,
        /// The one before it.
        previous: f64,
    },
    /// Natural values of which a sum, a norm or the like is not what it must be.
    Mismatch {
        /// Where they start in the leaf, in row-major order.
        index: usize,
        /// What is wrong with them.
        quantity: Quantity,
        /// How much it is.
        value: f64,
        /// How much it must be.
        expected: f64,
        /// How far from that it may be: what rounding explains for this type and size.
        tolerance: f64,
    },
    /// Natural values of which a pivot, a distance or the like is no greater than rounding.
    NotAbove {
        /// Where it stands in the leaf, in row-major order.
        index: usize,
        /// What is too small.
        quantity: Quantity,
        /// How much it is.
        value: f64,
        /// It must be greater than this: what rounding explains for this type and size.
        tolerance: f64,
    },
    /// A shape that natural values cannot have.
    Shape {
        /// What is wrong with it: "a simplex has at least one element, …".
        reason: Cow<'static, str>,
    },
    /// Parameters that make no transform.
    Parameter {
        /// What is wrong with them: "the lower bound 2 is not below the upper bound 1".
        reason: Cow<'static, str>,
    },
}

/// What of several natural values must be some number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// Their sum.
    Sum,
    /// The square root of the sum of their squares.
    Norm,
    /// The sum of their squares.
    SquaredNorm,
    /// The inner product of a row of a matrix with an earlier one.
    RowProduct,
    /// An entry of a matrix above its diagonal.
    AboveDiagonal,
    /// An entry on the diagonal of a matrix.
    OnDiagonal,
    /// What a diagonal entry of a positive definite matrix has left when the entries beside it are
    /// accounted for.
    Pivot,
    /// How far a rotation is from one that turns by π in some plane, or from a reflection.
    HalfTurn,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sum => "sum",
            Self::Norm => "norm",
            Self::SquaredNorm => "squared norm",
            Self::RowProduct => "product with an earlier row",
            Self::AboveDiagonal => "entry above the diagonal",
            Self::OnDiagonal => "diagonal entry",
            Self::Pivot => "pivot of a positive definite matrix",
            Self::HalfTurn => "distance of the rotation from a half turn or a reflection",
        })
    }
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

    /// A shape that natural values cannot have, for this reason.
    ///
    /// ```
    /// use paramtree::Refusal;
    ///
    /// let refusal = Refusal::shape(&[4], "a matrix has two axes");
    /// assert_eq!(refusal.to_string(), "a matrix has two axes, and the shape is [4]");
    /// ```
    pub fn shape(shape: &[usize], reason: impl Into<Cow<'static, str>>) -> Self {
        let reason = reason.into();
        Self::Shape {
            reason: format!("{reason}, and the shape is {shape:?}").into(),
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
            Self::OutOfDomain { index, .. }
            | Self::NoCoordinate { index, .. }
            | Self::NotIncreasing { index, .. }
            | Self::Mismatch { index, .. }
            | Self::NotAbove { index, .. } => Some(*index),
            Self::Shape { .. } | Self::Parameter { .. } => None,
        }
    }

    /// The refusal of a part of the leaf as one of the leaf: `place` says where an index of the
    /// part stands there.
    pub(crate) fn reindexed(mut self, place: impl FnOnce(usize) -> usize) -> Self {
        match &mut self {
            Self::OutOfDomain { index, .. }
            | Self::NoCoordinate { index, .. }
            | Self::NotIncreasing { index, .. }
            | Self::Mismatch { index, .. }
            | Self::NotAbove { index, .. } => *index = place(*index),
            Self::Shape { .. } | Self::Parameter { .. } => {}
        }
        self
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
            Self::NotIncreasing {
                value, previous, ..
            } => write!(
                f,
                "{} is not greater than {} before it",
                Digits(*value),
                Digits(*previous)
            ),
            Self::Mismatch {
                quantity,
                value,
                expected,
                tolerance,
                ..
            } => write!(
                f,
                "the {quantity} {} is not {} within {}",
                Digits(*value),
                Digits(*expected),
                Digits(*tolerance)
            ),
            Self::NotAbove {
                quantity,
                value,
                tolerance,
                ..
            } => write!(
                f,
                "the {quantity} {} is not above {}",
                Digits(*value),
                Digits(*tolerance)
            ),
            Self::Shape { reason } | Self::Parameter { reason } => f.write_str(reason),
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
