//! From the flat vector into a model.

use crate::at::At;
use crate::element::{Element, Inexact};
use crate::error::Error;
use crate::layout::check::Rule;
use crate::layout::scratch::{Buffers, Scratch, coordinates};
use crate::layout::{Layout, Trained, inconsistent};
use crate::leaf::{LeafMut, LeafRef};
use crate::module::{Module, VisitorMut};
use crate::transform::Transform;

impl Layout {
    /// Writes unconstrained numbers into the trained leaves of a model, in place.
    ///
    /// Leaves that do not train keep their bits. What a transform rounds to a bound is
    /// stored as the next number inside.
    ///
    /// # Errors
    ///
    /// The model has another structure or shape than the layout; the vector has another
    /// length, or an infinite number or NaN for a leaf with a transform. The model is
    /// then as it was.
    pub fn unflatten<F: Inexact>(
        &self,
        model: &mut (impl Module + ?Sized),
        flat: &[F],
    ) -> Result<(), Error> {
        self.check_model(model)?;
        self.check_len(flat.len())?;
        self.check_transforms(model, flat, Rule::Finite)?;
        let mut unflatten = Unflatten {
            trained: self.trained(),
            flat,
            scratch: Scratch::default(),
        };
        model.visit_mut(At::root(), &mut unflatten);
        if unflatten.flat.is_empty() {
            Ok(())
        } else {
            Err(inconsistent())
        }
    }
}

struct Unflatten<'m, 'f, F> {
    trained: Trained<'m>,
    /// What is still to be written.
    flat: &'f [F],
    scratch: Scratch,
}

impl<'a, F: Inexact> VisitorMut<'a> for Unflatten<'_, '_, F> {
    #[inline]
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafMut<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        if !self.trained.next::<T>(at) {
            return;
        }
        if let Some(transform) = transform {
            return self.constrain(leaf, transform);
        }
        if leaf.as_ref().values().is_none() {
            return self.scatter(leaf);
        }
        let Some(values) = leaf.into_values() else {
            return;
        };
        if let Some(flat) = self.flat.split_off(..values.len()) {
            T::load(values, flat);
        }
    }
}

impl<F: Inexact> Unflatten<'_, '_, F> {
    /// A leaf that is not contiguous.
    fn scatter<T: Element>(&mut self, leaf: LeafMut<'_, T>) {
        let (Some(flat), Some(room)) = (
            self.flat.split_off(..leaf.as_ref().len()),
            T::pick(&mut self.scratch),
        ) else {
            return;
        };
        let y = coordinates(flat, &mut room.x);
        assign(leaf, y);
    }

    fn constrain<T: Element>(&mut self, leaf: LeafMut<'_, T>, transform: &dyn Transform<T>) {
        let shape = leaf.as_ref();
        // Checked before: it is the layout's width.
        let width = shape
            .with_shape(|shape| transform.unconstrained_len(shape))
            .unwrap_or(0);
        let (Some(flat), Some(Buffers { natural, x, .. })) =
            (self.flat.split_off(..width), T::pick(&mut self.scratch))
        else {
            return;
        };
        let x = coordinates(flat, x);
        match leaf {
            LeafMut::Scalar(value) => {
                transform.constrain(x, std::slice::from_mut(value), &[]);
            }
            LeafMut::Vector(values) => constrain_vector(transform, x, values),
            LeafMut::Vec(values) => constrain_vector(transform, x, values),
            LeafMut::Array(array) => {
                natural.resize(LeafRef::Array(&*array).len(), T::ZERO);
                transform.constrain(x, natural, array.dims());
                assign(LeafMut::Array(array), natural);
            }
            LeafMut::Shared(_) => {}
        }
    }
}

fn constrain_vector<T>(transform: &dyn Transform<T>, x: &[T], values: &mut [T]) {
    let shape = [values.len()];
    transform.constrain(x, values, &shape);
}

/// Writes values in logical order.
fn assign<T: Element>(leaf: LeafMut<'_, T>, values: &[T]) {
    if let LeafMut::Array(array) = leaf {
        if let Some(slots) = array.values_mut() {
            slots.copy_from_slice(values);
        } else {
            array
                .array_view_mut()
                .iter_mut()
                .zip(values)
                .for_each(|(slot, value)| *slot = *value);
        }
    }
}
