//! Model structs as parameter trees.

#[cfg(feature = "derive")]
extern crate self as paramtree;

mod at;
mod dynamic;
mod element;
mod erased;
mod error;
mod fingerprint;
mod frozen;
mod hash;
mod impls;
mod layout;
mod leaf;
mod mask;
mod module;
mod partition;
mod pattern;
mod real;
mod refusal;
mod structure;
mod summary;
pub mod transform;

pub use crate::at::{At, Standing};
pub use crate::dynamic::DynModule;
pub use crate::element::{Dtype, Element, Inexact};
pub use crate::erased::{DynVisitor, DynVisitorMut};
pub use crate::error::Error;
pub use crate::frozen::Frozen;
pub use crate::layout::Layout;
pub use crate::leaf::{LeafMut, LeafRef, Storage};
pub use crate::mask::Mask;
pub use crate::module::{Constant, Module, Param, Visitor, VisitorMut};
pub use crate::partition::{By, Params, Rejected, Rest, partition, partition_by};
pub use crate::pattern::Patterns;
pub use crate::real::Real;
pub use crate::refusal::Refusal;
pub use crate::structure::{Leaf, leaves};
pub use crate::summary::{Summarize, Summary};
pub use crate::transform::Transform;

#[cfg(feature = "derive")]
pub use paramtree_derive::Module;
