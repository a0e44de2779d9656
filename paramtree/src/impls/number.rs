//! Numbers: a bare one is a leaf, and a sequence of them is one leaf too.

use std::slice;

use ndarray::{ArrayD, ArrayViewD, ArrayViewMutD, Axis, arr0, aview_mut1, aview0};

use crate::at::At;
use crate::leaf::{LeafMut, LeafRef, Storage};
use crate::module::{Module, Param, Visitor, VisitorMut};

macro_rules! number {
    ($($element:ident),*) => {$(
        impl Module for $element {
            #[inline]
            fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
                visitor.leaf(LeafRef::Scalar(self), at, None);
            }

            #[inline]
            fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
                visitor.leaf(LeafMut::Scalar(self), at, None);
            }

            #[inline]
            fn visit_slice<'a>(slice: &'a [Self], at: At<'_>, visitor: &mut impl Visitor<'a>) {
                visitor.leaf(LeafRef::Vector(slice), at, None);
            }

            #[inline]
            fn visit_slice_mut<'a>(
                slice: &'a mut [Self],
                at: At<'_>,
                visitor: &mut impl VisitorMut<'a>,
            ) {
                visitor.leaf(LeafMut::Vector(slice), at, None);
            }

            #[inline]
            fn visit_vec_mut<'a>(
                vec: &'a mut Vec<Self>,
                at: At<'_>,
                visitor: &mut impl VisitorMut<'a>,
            ) {
                visitor.leaf(LeafMut::Vec(vec), at, None);
            }
        }
    )*};
}

number!(
    bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64
);

/// For a wrapper of a number, which is a leaf of rank 0.
macro_rules! inexact {
    ($($element:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Param for $element {
            type Elem = $element;
        }

        impl Storage<$element> for $element {
            fn dims(&self) -> &[usize] {
                &[]
            }

            fn values(&self) -> Option<&[$element]> {
                Some(slice::from_ref(self))
            }

            fn array_view(&self) -> ArrayViewD<'_, $element> {
                aview0(self).into_dyn()
            }

            fn values_mut(&mut self) -> Option<&mut [$element]> {
                Some(slice::from_mut(self))
            }

            fn array_view_mut(&mut self) -> ArrayViewMutD<'_, $element> {
                aview_mut1(slice::from_mut(self)).into_dyn().index_axis_move(Axis(0), 0)
            }

            fn take_array(&mut self) -> ArrayD<$element> {
                arr0(*self).into_dyn()
            }

            fn put_array(&mut self, array: ArrayD<$element>) -> Result<(), ArrayD<$element>> {
                match array.first() {
                    Some(value) if array.ndim() == 0 => *self = *value,
                    _ => return Err(array),
                }
                Ok(())
            }
        }
    )*};
}

inexact!(f32, f64);
