//! Visitors behind `dyn`: one method per element type.

use crate::at::At;
use crate::leaf::{LeafMut, LeafRef};
use crate::transform::Transform;

macro_rules! erased {
    ($($element:ident),*) => {
        /// A [`Visitor`](crate::Visitor) behind `dyn`. Every visitor is one.
        pub trait DynVisitor<'a> {
            $(
                #[doc = concat!("Shows a leaf of `", stringify!($element), "`.")]
                fn $element(
                    &mut self,
                    leaf: LeafRef<'a, $element>,
                    at: At<'_>,
                    transform: Option<&dyn Transform<$element>>,
                );
            )*

            /// Tells of a choice made at run time.
            fn dyn_choice(&mut self, value: u64);
        }

        /// A [`VisitorMut`](crate::VisitorMut) behind `dyn`. Every visitor is one.
        pub trait DynVisitorMut<'a> {
            $(
                #[doc = concat!("Shows a leaf of `", stringify!($element), "`.")]
                fn $element(
                    &mut self,
                    leaf: LeafMut<'a, $element>,
                    at: At<'_>,
                    transform: Option<&dyn Transform<$element>>,
                );
            )*

            /// Tells of a choice made at run time.
            fn dyn_choice(&mut self, value: u64);
        }
    };
}

erased!(
    bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64
);
