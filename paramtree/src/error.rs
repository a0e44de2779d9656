//! Everything that can go wrong, with the path and the numbers.

use std::fmt;

use crate::element::Dtype;
use crate::refusal::Refusal;

/// Why an operation was refused. Nothing has changed where one is returned.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A pattern selects no leaf.
    NoMatch {
        /// The pattern as given.
        pattern: String,
        /// The real path that is nearest to it.
        nearest: Option<String>,
    },
    /// A pattern points at an element of a leaf; masks go by leaf.
    InsideLeaf {
        /// The pattern as given.
        pattern: String,
        /// The leaf that it reaches into.
        path: String,
    },
    /// A pattern cannot be read.
    Pattern {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A leaf was to be thawed that is declared frozen.
    DeclaredFrozen {
        /// The leaf.
        path: String,
    },
    /// A leaf was to be thawed that is in shared storage.
    SharedStorage {
        /// The leaf.
        path: String,
    },
    /// A leaf was to be trained whose numbers cannot be.
    NotInexact {
        /// The leaf.
        path: String,
        /// Its element type.
        dtype: Dtype,
    },
    /// A closure gave something that is no part of the model, or holds no leaf.
    NotAPart,
    /// The value has other leaves than the one that a mask, a layout or a gradient was made of.
    Structure {
        /// The first leaf that should be there and is not.
        missing: Option<String>,
        /// The first leaf that is there and should not be.
        surplus: Option<String>,
    },
    /// A part was taken from a model of another type.
    OtherType {
        /// The type of the model.
        expected: &'static str,
        /// The type that the part was taken from.
        got: &'static str,
    },
    /// A leaf is declared otherwise: frozen where it was not, or with a transform where there
    /// was none, or the reverse.
    Declaration {
        /// The leaf.
        path: String,
    },
    /// A leaf has another shape than expected.
    Shape {
        /// The leaf.
        path: String,
        /// The shape it should have.
        expected: Vec<usize>,
        /// The shape it has.
        got: Vec<usize>,
    },
    /// A leaf has another element type than expected.
    Dtype {
        /// The leaf.
        path: String,
        /// The type it should have.
        expected: Dtype,
        /// The type it has.
        got: Dtype,
    },
    /// A flat vector has another length than the layout.
    Length {
        /// The layout's length.
        expected: usize,
        /// The vector's length.
        got: usize,
    },
    /// A trained leaf came without a gradient: the gradient's leaf is empty.
    MissingGradient {
        /// The leaf.
        path: String,
        /// The shape that its gradient should have.
        expected: Vec<usize>,
    },
    /// A transform refuses a leaf's value, its shape, or its own parameters.
    Refused {
        /// The leaf.
        path: String,
        /// The leaf's shape.
        shape: Vec<usize>,
        /// The transform.
        transform: String,
        /// What it refuses.
        refusal: Box<Refusal>,
    },
    /// A flat vector holds an infinite number or NaN for a leaf with a transform.
    NotFinite {
        /// The leaf.
        path: String,
        /// The position in the flat vector.
        index: usize,
        /// The number there.
        value: f64,
    },
    /// The gradient of a trained leaf is infinite or NaN.
    NonFiniteGradient {
        /// The leaf.
        path: String,
        /// Its shape, or the number of its coordinates, where the gradient of one is meant.
        shape: Vec<usize>,
        /// The position in that shape, in row-major order.
        index: usize,
        /// The number there.
        value: f64,
    },
    /// A setting of an optimiser makes no sense.
    Setting {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// An optimiser has no group of this name.
    NoGroup {
        /// The name as given.
        name: String,
        /// The names of its groups.
        groups: Vec<String>,
    },
    /// Two groups of an optimiser have one name.
    DoubledGroup {
        /// The name. `default` is that of the leaves in no other group.
        name: String,
    },
    /// A leaf is missing where halves are combined.
    MissingLeaf {
        /// The leaf.
        path: String,
    },
    /// A leaf came twice where halves are combined.
    DoubledLeaf {
        /// The leaf.
        path: String,
    },
    /// Leaves are in none of the groups of a partition.
    Unassigned {
        /// The leaves.
        paths: Vec<String>,
    },
    /// Leaves are in more than one group of a partition.
    Overlap {
        /// The leaves, each with the groups that claim it.
        paths: Vec<(String, Vec<String>)>,
    },
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMatch { .. }
            | Self::InsideLeaf { .. }
            | Self::Pattern { .. }
            | Self::DeclaredFrozen { .. }
            | Self::SharedStorage { .. }
            | Self::NotInexact { .. }
            | Self::NotAPart => self.fmt_selection(f),
            Self::Structure { .. }
            | Self::Shape { .. }
            | Self::Dtype { .. }
            | Self::Length { .. }
            | Self::MissingGradient { .. } => self.fmt_structure(f),
            Self::Refused {
                path,
                shape,
                transform,
                refusal,
            } => {
                let place = match refusal.index() {
                    Some(index) => element(path, shape, index),
                    None => path.clone(),
                };
                write!(f, "`{place}`: {transform} refuses it: {refusal}")
            }
            Self::NotFinite { path, index, value } => write!(
                f,
                "`{path}`: the flat vector holds {value} at {index}, which no transform can take"
            ),
            Self::NonFiniteGradient {
                path,
                shape,
                index,
                value,
            } => {
                let place = element(path, shape, *index);
                write!(
                    f,
                    "the gradient of `{place}` is {value}: nothing has been changed"
                )
            }
            Self::NoGroup { name, groups } => {
                write!(f, "no group is named `{name}`, there are {}", Paths(groups))
            }
            Self::Setting {
                name,
                value,
                expected,
            } => write!(f, "`{name}` is {value}, and must be {expected}"),
            Self::DoubledGroup { name } => write!(f, "two groups are named `{name}`"),
            Self::Declaration { path } => write!(
                f,
                "`{path}` is declared otherwise than in the value that this was made of: \
                 frozen or not, with a transform or without"
            ),
            Self::OtherType { expected, got } => {
                write!(
                    f,
                    "the part was taken from a `{got}`, not from a `{expected}`"
                )
            }
            Self::MissingLeaf { .. }
            | Self::DoubledLeaf { .. }
            | Self::Unassigned { .. }
            | Self::Overlap { .. } => self.fmt_partition(f),
        }
    }
}

impl Error {
    fn fmt_selection(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMatch { pattern, nearest } => {
                write!(f, "`{pattern}` matches no leaf")?;
                match nearest {
                    Some(nearest) => write!(f, ", the nearest path is `{nearest}`"),
                    None => write!(f, ": the model has none"),
                }
            }
            Self::InsideLeaf { pattern, path } => write!(
                f,
                "`{pattern}` reaches into the leaf `{path}`: masks go by leaf, select `{path}`"
            ),
            Self::Pattern { pattern, reason } => write!(f, "`{pattern}` is no pattern: {reason}"),
            Self::DeclaredFrozen { path } => write!(
                f,
                "`{path}` is declared frozen, which no mask can undo: \
                 remove `#[frozen]` from the field if it is to train"
            ),
            Self::SharedStorage { path } => write!(
                f,
                "`{path}` is in shared storage, which cannot be trained: own it instead"
            ),
            Self::NotInexact { path, dtype } => write!(
                f,
                "`{path}` holds {dtype}, which cannot be trained: only f32 and f64 can"
            ),
            _ => write!(
                f,
                "the closure gave something that is no part of this model, or holds no leaf: \
                 return a reference to one of its fields"
            ),
        }
    }

    fn fmt_structure(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Structure { missing, surplus } => {
                write!(f, "the value has another structure than expected: ")?;
                match (missing, surplus) {
                    (Some(missing), Some(surplus)) => {
                        write!(f, "`{missing}` is missing, `{surplus}` is surplus")
                    }
                    (Some(missing), None) => write!(f, "`{missing}` is missing"),
                    (None, Some(surplus)) => write!(f, "`{surplus}` is surplus"),
                    (None, None) => write!(f, "its leaves stand in another order"),
                }
            }
            Self::Shape {
                path,
                expected,
                got,
            } => {
                write!(
                    f,
                    "`{path}` should have shape {expected:?}, and has {got:?}"
                )
            }
            Self::Dtype {
                path,
                expected,
                got,
            } => {
                write!(f, "`{path}` should hold {expected}, and holds {got}")
            }
            Self::Length { expected, got } => write!(
                f,
                "the flat vector has another length than the layout: expected {expected}, got {got}"
            ),
            Self::MissingGradient { path, expected } => write!(
                f,
                "`{path}` trains, but its gradient is empty: give one of shape {expected:?}, \
                 or freeze the leaf"
            ),
            _ => Ok(()),
        }
    }

    fn fmt_partition(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingLeaf { path } => write!(
                f,
                "`{path}` was taken out and is not given back: combine all the parts"
            ),
            Self::DoubledLeaf { path } => write!(f, "`{path}` is given back twice"),
            Self::Unassigned { paths } => {
                write!(f, "in no group: {}", Paths(paths))
            }
            Self::Overlap { paths } => {
                write!(f, "in more than one group: ")?;
                for (i, (path, groups)) in paths.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}`{path}` ({})", groups.join(" and "))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// A list of paths, in backticks.
struct Paths<'a>(&'a [String]);

impl fmt::Display for Paths<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, path) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}`{path}`")?;
        }
        Ok(())
    }
}

/// An element of a leaf, by its row-major position: `w[0, 2]`, and `w` for a scalar.
pub(crate) fn element(path: &str, shape: &[usize], position: usize) -> String {
    if shape.is_empty() {
        return path.to_owned();
    }
    let mut rest = position;
    let mut index = vec![0; shape.len()];
    for (i, n) in index.iter_mut().zip(shape).rev() {
        *i = rest % (*n).max(1);
        rest /= (*n).max(1);
    }
    format!("{path}{index:?}")
}
