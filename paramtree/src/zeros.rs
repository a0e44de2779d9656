//! Zeros in the shape of a model.

use crate::at::At;
use crate::element::Element;
use crate::leaf::LeafMut;
use crate::module::{Module, VisitorMut};
use crate::transform::Transform;

/// A copy of a model with zeros in every inexact leaf: what a gradient starts from.
///
/// Integers, and what is in shared storage, stay as they are.
///
/// ```
/// use ndarray::{Array1, array};
/// use paramtree::{Module, zeros_like};
///
/// #[derive(Clone, Module)]
/// struct Model { weight: Array1<f64>, steps: u32 }
///
/// let gradient = zeros_like(&Model { weight: array![1.0, 2.0], steps: 3 });
/// assert_eq!(gradient.weight, array![0.0, 0.0]);
/// assert_eq!(gradient.steps, 3);
/// ```
#[must_use]
pub fn zeros_like<M: Module + Clone>(model: &M) -> M {
    let mut zeros = model.clone();
    zeros.visit_mut(At::root(), &mut Zero);
    zeros
}

struct Zero;

impl<'a> VisitorMut<'a> for Zero {
    fn leaf<T: Element>(&mut self, leaf: LeafMut<'a, T>, _: At<'_>, _: Option<&dyn Transform<T>>) {
        if !T::DTYPE.is_inexact() {
            return;
        }
        match leaf {
            LeafMut::Scalar(value) => *value = T::ZERO,
            LeafMut::Vector(values) => values.fill(T::ZERO),
            LeafMut::Vec(values) => values.fill(T::ZERO),
            LeafMut::Array(array) => array.array_view_mut().fill(T::ZERO),
            LeafMut::Shared(_) => {}
        }
    }
}
