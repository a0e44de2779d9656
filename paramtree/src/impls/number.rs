//! Numbers: a bare one is a leaf, and a sequence of them is one leaf too.

use crate::at::At;
use crate::leaf::{LeafMut, LeafRef};
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

#[diagnostic::do_not_recommend]
impl Param for f32 {
    type Elem = f32;
}

#[diagnostic::do_not_recommend]
impl Param for f64 {
    type Elem = f64;
}
