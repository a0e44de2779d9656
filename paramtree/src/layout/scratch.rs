//! Room for what cannot be worked on in place, one for a whole walk.

use crate::element::{Element, Inexact, PerInexact, Plain};
use crate::leaf::LeafRef;

/// Buffers for leaves that are not contiguous, and for casts between precisions.
#[derive(Default)]
pub(super) struct Scratch {
    f32s: Buffers<f32>,
    f64s: Buffers<f64>,
}

/// Buffers of one precision.
#[derive(Default)]
pub(super) struct Buffers<T> {
    /// A leaf's natural values.
    pub(super) natural: Vec<T>,
    /// A leaf's coordinates.
    pub(super) x: Vec<T>,
    /// What comes out, in coordinates.
    pub(super) out: Vec<T>,
}

impl PerInexact for Scratch {
    type Of<T: Plain> = Buffers<T>;

    fn for_f32(&mut self) -> &mut Buffers<f32> {
        &mut self.f32s
    }

    fn for_f64(&mut self) -> &mut Buffers<f64> {
        &mut self.f64s
    }
}

/// A leaf's values in logical order, gathered only if they do not lie so.
pub(crate) fn gathered<'s, T: Element>(leaf: LeafRef<'s, T>, buffer: &'s mut Vec<T>) -> &'s [T] {
    if let Some(values) = leaf.values() {
        return values;
    }
    buffer.clear();
    buffer.extend(leaf.array_view().iter().copied());
    buffer
}

/// A part of a flat vector in the leaf's precision, cast only if it has another.
pub(super) fn coordinates<'s, T: Element, F: Inexact>(
    flat: &'s [F],
    buffer: &'s mut Vec<T>,
) -> &'s [T] {
    if let Some(same) = T::same_slice(flat) {
        return same;
    }
    buffer.resize(flat.len(), T::ZERO);
    T::load(buffer, flat);
    buffer
}

/// Lets `write` fill all of a part of a flat vector in the leaf's precision.
pub(super) fn filled<T: Element, F: Inexact, R>(
    flat: &mut [F],
    buffer: &mut Vec<T>,
    write: impl FnOnce(&mut [T]) -> R,
) -> R {
    if let Some(same) = T::same_slice_mut(flat) {
        return write(same);
    }
    buffer.resize(flat.len(), T::ZERO);
    let result = write(buffer);
    T::store(buffer, flat);
    result
}
