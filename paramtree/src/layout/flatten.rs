//! From a model to the flat vector.

use std::{mem, slice};

use crate::at::At;
use crate::element::{Element, Inexact};
use crate::error::Error;
use crate::layout::check::Rule;
use crate::layout::scratch::{Scratch, filled, gathered};
use crate::layout::{All, Layout, Select, inconsistent};
use crate::leaf::{LeafRef, Storage};
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
        let done = match self.flags {
            None => write(model, flat, All),
            Some(_) => write(model, flat, self.trained()),
        };
        if done { Ok(()) } else { Err(inconsistent()) }
    }
}

/// Whether the walk has filled all of the vector.
#[inline]
fn write<F: Inexact>(model: &(impl Module + ?Sized), flat: &mut [F], trained: impl Select) -> bool {
    let mut scratch = None;
    let mut flatten = Flatten {
        trained,
        flat,
        position: 0,
        scratch: &mut scratch,
    };
    model.visit(At::root(), &mut flatten);
    flatten.position == flatten.flat.len()
}

/// The walk. No reference to it leaves `leaf`, so that its fields stay in registers: what
/// is not inlined is a function of its own.
struct Flatten<'f, F, S> {
    trained: S,
    /// What is still to be filled, from `position` on.
    flat: &'f mut [F],
    /// Moves with numbers alone, `flat` with arrays: either is free where the other rests.
    position: usize,
    scratch: &'f mut Option<Box<Scratch>>,
}

impl<'a, F: Inexact, S: Select> Visitor<'a> for Flatten<'_, F, S> {
    // Small once the kind of leaf is known, which it is where this is inlined.
    #[allow(clippy::inline_always)]
    #[inline(always)]
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
            let width = leaf.with_shape(|shape| transform.unconstrained_len(shape));
            // Checked before: it is the layout's width, and no value is refused.
            if let Some(flat) = self.split_off(width.unwrap_or(0)) {
                unconstrain(leaf, transform, flat, self.scratch);
            }
            return;
        }
        match leaf {
            LeafRef::Scalar(value) => {
                if let Some(slot) = self.flat.get_mut(self.position) {
                    T::store(slice::from_ref(value), slice::from_mut(slot));
                }
                self.position = self.position.wrapping_add(1);
            }
            LeafRef::Vector(values) => self.copy(values),
            LeafRef::Array(array) => match array.values() {
                Some(values) => self.copy(values),
                None => {
                    if let Some(flat) = self.split_off(leaf.len()) {
                        gather(array, flat, self.scratch);
                    }
                }
            },
        }
    }
}

impl<'f, F: Inexact, S> Flatten<'f, F, S> {
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn copy<T: Element>(&mut self, values: &[T]) {
        if let Some(flat) = self.split_off(values.len()) {
            T::store(values, flat);
        }
    }

    /// The next `n` slots. A layout is checked before it is used: only a `Module` whose
    /// walks disagree finds too few.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn split_off(&mut self, n: usize) -> Option<&'f mut [F]> {
        let rest = mem::take(&mut self.flat).get_mut(mem::take(&mut self.position)..)?;
        let (head, tail) = rest.split_at_mut_checked(n)?;
        self.flat = tail;
        Some(head)
    }
}

/// An array that is not contiguous.
#[inline(never)]
fn gather<T: Element, F: Inexact>(
    array: &dyn Storage<T>,
    flat: &mut [F],
    scratch: &mut Option<Box<Scratch>>,
) {
    if let Some(room) = T::pick(scratch.get_or_insert_default().as_mut()) {
        T::store(gathered(LeafRef::Array(array), &mut room.natural), flat);
    }
}

#[inline(never)]
fn unconstrain<T: Element, F: Inexact>(
    leaf: LeafRef<'_, T>,
    transform: &dyn Transform<T>,
    flat: &mut [F],
    scratch: &mut Option<Box<Scratch>>,
) {
    if let Some(x) = leaf.coordinates() {
        return T::store(x, flat);
    }
    let Some(room) = T::pick(scratch.get_or_insert_default().as_mut()) else {
        return;
    };
    let y = gathered(leaf, &mut room.natural);
    leaf.with_shape(|shape| {
        let _ = filled(flat, &mut room.x, |x| transform.unconstrain(y, x, shape));
    });
}
