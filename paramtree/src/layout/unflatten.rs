//! From the flat vector into a model.

use std::{mem, slice};

use crate::at::At;
use crate::element::{Element, Inexact};
use crate::error::Error;
use crate::layout::check::Rule;
use crate::layout::scratch::{Buffers, Scratch, coordinates};
use crate::layout::{All, Layout, Select, inconsistent};
use crate::leaf::{LeafMut, LeafRef, Storage, assign, constrain as constrain_leaf};
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
        let done = match self.flags {
            None => write(model, flat, All),
            Some(_) => write(model, flat, self.trained()),
        };
        if done { Ok(()) } else { Err(inconsistent()) }
    }
}

/// Whether the walk has taken all of the vector.
#[inline]
fn write<F: Inexact>(model: &mut (impl Module + ?Sized), flat: &[F], trained: impl Select) -> bool {
    let mut scratch = None;
    let mut unflatten = Unflatten {
        trained,
        flat,
        position: 0,
        scratch: &mut scratch,
    };
    model.visit_mut(At::root(), &mut unflatten);
    unflatten.position == unflatten.flat.len()
}

/// The walk. No reference to it leaves `leaf`, so that its fields stay in registers.
struct Unflatten<'f, F, S> {
    trained: S,
    /// What is still to be written, from `position` on.
    flat: &'f [F],
    /// Moves with numbers alone, `flat` with arrays: either is free where the other rests.
    position: usize,
    scratch: &'f mut Option<Box<Scratch>>,
}

impl<'a, F: Inexact, S: Select> VisitorMut<'a> for Unflatten<'_, F, S> {
    // Small once the kind of leaf is known, which it is where this is inlined.
    #[allow(clippy::inline_always)]
    #[inline(always)]
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
            // Checked before: it is the layout's width.
            let width = leaf
                .as_ref()
                .with_shape(|shape| transform.unconstrained_len(shape));
            if let Some(flat) = self.split_off(width.unwrap_or(0)) {
                constrain(leaf, transform, flat, self.scratch);
            }
            return;
        }
        match leaf {
            LeafMut::Scalar(value) => {
                if let Some(number) = self.flat.get(self.position) {
                    T::load(slice::from_mut(value), slice::from_ref(number));
                }
                self.position = self.position.wrapping_add(1);
            }
            LeafMut::Vector(values) => self.copy(values),
            LeafMut::Vec(values) => self.copy(values),
            LeafMut::Array(array) => match array.values_mut() {
                Some(values) => self.copy(values),
                None => {
                    if let Some(flat) = self.split_off(LeafRef::Array(&*array).len()) {
                        scatter(array, flat, self.scratch);
                    }
                }
            },
            LeafMut::Shared(_) => {}
        }
    }
}

impl<'f, F: Inexact, S> Unflatten<'f, F, S> {
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn copy<T: Element>(&mut self, values: &mut [T]) {
        if let Some(flat) = self.split_off(values.len()) {
            T::load(values, flat);
        }
    }

    /// The next `n` numbers. A layout is checked before it is used: only a `Module` whose
    /// walks disagree finds too few.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn split_off(&mut self, n: usize) -> Option<&'f [F]> {
        let rest = self.flat.get(mem::take(&mut self.position)..)?;
        let (head, tail) = rest.split_at_checked(n)?;
        self.flat = tail;
        Some(head)
    }
}

/// An array that is not contiguous.
#[inline(never)]
fn scatter<T: Element, F: Inexact>(
    array: &mut dyn Storage<T>,
    flat: &[F],
    scratch: &mut Option<Box<Scratch>>,
) {
    if let Some(room) = T::pick(scratch.get_or_insert_default().as_mut()) {
        assign(array, coordinates(flat, &mut room.x));
    }
}

#[inline(never)]
fn constrain<T: Element, F: Inexact>(
    leaf: LeafMut<'_, T>,
    transform: &dyn Transform<T>,
    flat: &[F],
    scratch: &mut Option<Box<Scratch>>,
) {
    let Some(Buffers { natural, x, .. }) = T::pick(scratch.get_or_insert_default().as_mut()) else {
        return;
    };
    constrain_leaf(leaf, transform, coordinates(flat, x), natural);
}
