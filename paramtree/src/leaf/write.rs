//! Writing an array whose memory may lie in any order.

use std::slice;

use super::{LeafMut, Storage};
use crate::transform::Transform;

/// Writes a leaf by its coordinates. Whether it keeps those.
pub(crate) fn constrain<T: Copy>(
    leaf: LeafMut<'_, T>,
    transform: &dyn Transform<T>,
    x: &[T],
    buffer: &mut Vec<T>,
) -> bool {
    match leaf {
        LeafMut::Scalar(value) => transform.constrain(x, slice::from_mut(value), &[]),
        LeafMut::Vector(values) => constrain_vector(transform, x, values),
        LeafMut::Vec(values) => constrain_vector(transform, x, values),
        LeafMut::Array(array) => {
            if array.put_coordinates(x, transform) {
                return true;
            }
            constrain_array(transform, x, array, buffer);
        }
        LeafMut::Shared(_) => {}
    }
    false
}

fn constrain_vector<T>(transform: &dyn Transform<T>, x: &[T], values: &mut [T]) {
    let shape = [values.len()];
    transform.constrain(x, values, &shape);
}

/// Natural values of coordinates: in place where the array lies in logical order, its shape kept
/// aside meanwhile, and by way of a buffer where not.
pub(crate) fn constrain_array<T: Copy>(
    transform: &dyn Transform<T>,
    x: &[T],
    array: &mut (impl Storage<T> + ?Sized),
    buffer: &mut Vec<T>,
) {
    let mut room = [0; 8];
    if let Some(shape) = room.get_mut(..array.dims().len()) {
        shape.copy_from_slice(array.dims());
        if let Some(values) = array.values_mut() {
            return transform.constrain(x, values, shape);
        }
    }
    buffer.clear();
    buffer.extend(array.array_view().iter().copied());
    transform.constrain(x, buffer, array.dims());
    assign(array, buffer);
}

/// Writes values in logical order.
pub(crate) fn assign<T: Copy>(array: &mut (impl Storage<T> + ?Sized), values: &[T]) {
    if let Some(slots) = array.values_mut() {
        slots.copy_from_slice(values);
        return;
    }
    for (slot, value) in array.array_view_mut().iter_mut().zip(values) {
        *slot = *value;
    }
}
