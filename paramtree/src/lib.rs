//! Model structs as parameter trees.
//!
//! Write a model as a plain struct of arrays, numbers and nested structs, say on its
//! fields what never trains and what must stay positive or in an interval, and derive
//! [`Module`]. The struct stays what it was: it owns its arrays, and forward code reads
//! them in natural space. The derive adds one walk over the leaves, and everything else
//! is library code over that walk:
//!
//! | | |
//! |---|---|
//! | [`Mask`] | which leaves train, decided at run time |
//! | [`Layout`] | the flat unconstrained vector for optimisers and samplers, and gradients pulled back to it |
//! | [`partition()`], [`partition_by()`] | the trained arrays moved out of a model, and back |
//! | [`Summary`] | what trains, and why not |
//! | [`transform`] | the maps between natural and unconstrained space |
//! | `optim`, a feature | first-order optimisers that cannot touch a frozen leaf |
//! | [`Frozen`], [`Constrained`] | the declarations as types |
//! | [`Reparam`], [`WeightNorm`] | values that are functions of trained parameters |
//! | [`DynModule`] | trait objects as parts of a model |
//!
//! # A fit in one page
//!
//! ```
//! use ndarray::{Array1, array};
//! use paramtree::transform::Positive;
//! use paramtree::{Layout, Mask, Module};
//!
//! #[derive(Debug, Clone, Module)]
//! struct Line {
//!     weight: Array1<f64>,
//!     #[param(transform = Positive)]
//!     noise: f64,
//!     #[frozen]
//!     scale: Array1<f64>,
//! }
//!
//! let mut line = Line { weight: array![0.5, -0.5], noise: 2.0, scale: array![1.0, 10.0] };
//! let layout = Layout::of(&line)?;
//! let mut x: Vec<f64> = layout.flatten(&line)?;
//! assert_eq!(x, [0.5, -0.5, 2.0_f64.ln()]); // `scale` is never in it
//!
//! // One step of gradient descent. The gradient is a value of the model's own type.
//! let gradient = Line { weight: array![1.0, 1.0], noise: 0.5, scale: array![] };
//! let slopes: Vec<f64> = layout.pullback(&line, &gradient)?;
//! assert_eq!(slopes, [1.0, 1.0, 1.0]); // d/dx = 0.5 · noise, for noise = exp x
//! for (x, slope) in x.iter_mut().zip(&slopes) {
//!     *x -= 0.1 * slope;
//! }
//! layout.unflatten(&mut line, &x)?;
//! assert_eq!(line.weight, array![0.4, -0.6]);
//!
//! // Hold the weights from now on.
//! let mut mask = Mask::of(&line);
//! mask.freeze("weight")?;
//! assert_eq!(Layout::new(&line, &mask)?.len(), 1);
//! # Ok::<(), paramtree::Error>(())
//! ```
//!
//! # What is a leaf
//!
//! | field type | in the tree as |
//! |---|---|
//! | `f32`, `f64`, `ndarray` arrays of them (`Array`, `ArcArray`, `CowArray`, `ArrayViewMut`), `Vec`, `[T; N]` and slices of them | a leaf that can train |
//! | integers, `bool`, arrays and sequences of them | a leaf that is listed and never trains |
//! | `String`, `char`, `()`, `PhantomData`, function pointers, `Duration`, … | nothing |
//! | `Option`, `Box`, `Vec`, `[M; N]`, `VecDeque`, tuples, maps (in the order of their keys), structs and enums that derive | a branch |
//! | `Arc`, `Rc`, `&` | under `#[frozen]` or `#[param(skip)]` only: shared storage cannot train |
//! | any other type | a compile error that says what to do |
//!
//! # Three ways not to train
//!
//! 1. *Declared*: `#[frozen]` on a field, or [`Frozen`]. No mask can undo it.
//! 2. *Decided at run time*: a [`Mask`], by path, predicate or closure.
//! 3. *Opaque*: `#[param(skip)]` keeps a field of any type out of the tree.
//!
//! A frozen leaf keeps its bits.
//!
//! # Paths
//!
//! Field names, indices, keys and enum variants joined by dots, as `encoder.layers.0.weight`
//! or `act.Prelu.slope`. A key with a dot in it is quoted, so that paths are unique.
//!
//! # Errors
//!
//! Whatever can fail is checked over the whole tree before the first write: on an
//! [`Error`], which names the path and the numbers, nothing has changed.

// Which modules may use which others is checked by `tests/layering.rs`.
mod at;
mod by;
mod dynamic;
mod element;
mod erased;
mod error;
mod fingerprint;
mod hash;
mod impls;
mod layout;
mod leaf;
mod mask;
mod module;
#[cfg(feature = "optim")]
pub mod optim;
mod partition;
mod pattern;
mod real;
mod refusal;
mod structure;
mod summary;
pub mod transform;
mod wrapper;
mod zeros;

// The README is an example too.
#[cfg(all(doctest, feature = "derive", feature = "optim"))]
#[doc = include_str!("../../README.md")]
struct ReadmeDoctests;

pub use crate::at::{At, Standing};
pub use crate::by::By;
pub use crate::dynamic::DynModule;
pub use crate::element::{Dtype, Element, Inexact};
pub use crate::erased::{DynVisitor, DynVisitorMut};
pub use crate::error::Error;
pub use crate::layout::Layout;
pub use crate::leaf::{LeafMut, LeafRef, Storage};
pub use crate::mask::Mask;
pub use crate::module::{Constant, Module, Param, Visitor, VisitorMut};
pub use crate::partition::{Params, Rejected, Rest, partition, partition_by};
pub use crate::pattern::Patterns;
pub use crate::real::Real;
pub use crate::refusal::{Quantity, Refusal};
pub use crate::structure::{Leaf, leaves};
pub use crate::summary::{Summarize, Summary};
pub use crate::transform::Transform;
pub use crate::wrapper::{Constrained, Frozen, Parameterization, Reparam, WeightNorm};
pub use crate::zeros::zeros_like;

/// Named in public signatures. Not public API.
#[doc(hidden)]
pub mod __private {
    pub use crate::leaf::{Load, Shelf};
}

#[doc = include_str!("../docs/derive.md")]
#[cfg(feature = "derive")]
pub use paramtree_derive::Module;
