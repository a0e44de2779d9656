//! From a model to the flat vector.

use crate::at::At;
use crate::element::{Element, Inexact};
use crate::error::Error;
use crate::layout::check::Rule;
use crate::layout::scratch::{Scratch, filled, gathered};
use crate::layout::{Layout, Trained, inconsistent};
use crate::leaf::LeafRef;
use crate::module::{Module, Visitor};
use crate::transform::Transform;

impl Layout {
    /// The trained leaves of a model as unconstrained numbers.
    ///
    /// # Errors
    ///
    /// The model has another structure or shape than the layout; or a transform refuses
    /// a value: one outside its open domain has no finite coordinate.
    pub fn flatten<F: Inexact>(&self, model: &(impl Module + ?Sized)) -> Result<Vec<F>, Error> {
        let mut flat = vec![F::ZERO; self.len];
        self.flatten_into(model, &mut flat)?;
        Ok(flat)
    }

    /// As [`flatten`](Self::flatten), into a slice.
    ///
    /// # Errors
    ///
    /// As [`flatten`](Self::flatten), or the slice has another length than the layout.
    /// The slice is then as it was.
    pub fn flatten_into<F: Inexact>(
        &self,
        model: &(impl Module + ?Sized),
        flat: &mut [F],
    ) -> Result<(), Error> {
        self.check_model(model)?;
        self.check_len(flat.len())?;
        self.check_transforms::<_, F>(model, &[], Rule::Domain)?;
        let mut flatten = Flatten {
            trained: self.trained(),
            flat,
            scratch: Scratch::default(),
        };
        model.visit(At::root(), &mut flatten);
        if flatten.flat.is_empty() {
            Ok(())
        } else {
            Err(inconsistent())
        }
    }
}

struct Flatten<'m, 'f, F> {
    trained: Trained<'m>,
    /// What is still to be filled.
    flat: &'f mut [F],
    scratch: Scratch,
}

impl<'a, F: Inexact> Visitor<'a> for Flatten<'_, '_, F> {
    #[inline]
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafRef<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        if !self.trained.next::<T>(at) {
            return;
        }
        if let Some(transform) = transform {
            return self.unconstrain(leaf, transform);
        }
        let Some(values) = leaf.values() else {
            return self.gather(leaf);
        };
        if let Some(flat) = self.flat.split_off_mut(..values.len()) {
            T::store(values, flat);
        }
    }
}

impl<F: Inexact> Flatten<'_, '_, F> {
    /// A leaf that is not contiguous.
    fn gather<T: Element>(&mut self, leaf: LeafRef<'_, T>) {
        let (Some(flat), Some(room)) = (
            self.flat.split_off_mut(..leaf.len()),
            T::pick(&mut self.scratch),
        ) else {
            return;
        };
        T::store(gathered(leaf, &mut room.natural), flat);
    }

    fn unconstrain<T: Element>(&mut self, leaf: LeafRef<'_, T>, transform: &dyn Transform<T>) {
        leaf.with_shape(|shape| {
            // Checked before: it is the layout's width, and no value is refused.
            let width = transform.unconstrained_len(shape).unwrap_or(0);
            let (Some(flat), Some(room)) =
                (self.flat.split_off_mut(..width), T::pick(&mut self.scratch))
            else {
                return;
            };
            let y = gathered(leaf, &mut room.natural);
            let _ = filled(flat, &mut room.x, |x| transform.unconstrain(y, x, shape));
        });
    }
}
