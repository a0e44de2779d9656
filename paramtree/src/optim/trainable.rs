//! The walk of an optimiser: what is frozen is not even shown to it.

use crate::at::At;
use crate::element::{ComputeVisitor, ComputeVisitorMut, Element};
use crate::leaf::{LeafMut, LeafRef};
use crate::module::{Visitor, VisitorMut};
use crate::transform::Transform;

/// Shows the leaves that can train, and the choices, to who computes.
pub(super) struct Trainable<'v, V>(pub(super) &'v mut V);

impl<'a, V: ComputeVisitor<'a>> Visitor<'a> for Trainable<'_, V> {
    #[inline]
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafRef<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        if !at.is_frozen() {
            T::compute(self.0, leaf, at, transform);
        }
    }

    #[inline]
    fn choice(&mut self, value: u64) {
        self.0.choice(value);
    }
}

impl<'a, V: ComputeVisitorMut<'a>> VisitorMut<'a> for Trainable<'_, V> {
    #[inline]
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafMut<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        if !at.is_frozen() {
            T::compute_mut(self.0, leaf, at, transform);
        }
    }
}
