//! Model structs as parameter trees.

#[cfg(feature = "derive")]
extern crate self as paramtree;

mod hash;
mod real;
mod refusal;
mod at;
pub mod transform;
mod leaf;
mod erased;
mod element;
mod error;
mod module;
mod fingerprint;
mod impls;
mod dynamic;
mod frozen;
mod structure;
mod pattern;
mod mask;
mod layout;

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
pub use crate::pattern::Patterns;
pub use crate::real::Real;
pub use crate::refusal::Refusal;
pub use crate::structure::{Leaf, leaves};

#[cfg(feature = "derive")]
pub use paramtree_derive::Module;
