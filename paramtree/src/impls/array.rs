//! `ndarray`'s arrays, each a leaf.
//!
//! Arrays keep methods such as `as_slice` on `ArrayRef`, which a trait's method of
//! the same name would shadow: they are called by path.

use ndarray::{
    ArcArray, Array, ArrayD, ArrayRef, ArrayViewD, ArrayViewMut, ArrayViewMutD, CowArray, Dimension,
};

use crate::at::At;
use crate::element::{Element, Inexact};
use crate::leaf::{LeafMut, LeafRef, Storage};
use crate::module::{Module, Param, Visitor, VisitorMut};

/// An array without elements (rank 0: with one, of no meaning).
fn hollow<T: Element, D: Dimension>(rank: usize) -> Array<T, D> {
    Array::from_shape_simple_fn(D::zeros(rank), || T::ZERO)
}

/// Turns a dynamic array into one of rank `D`, or gives it back.
fn ranked<T: Element, D: Dimension>(array: ArrayD<T>) -> Result<Array<T, D>, ArrayD<T>> {
    if D::NDIM.is_some_and(|rank| rank != array.ndim()) {
        return Err(array);
    }
    array.into_dimensionality().map_err(|_| hollow(0))
}

macro_rules! storage {
    ([$($generics:tt)*] $array:ty, |$this:ident| $take:expr, |$slot:ident, $new:ident| $put:expr) => {
        impl<$($generics)* T: Element, D: Dimension> Storage<T> for $array {
            #[inline]
            fn dims(&self) -> &[usize] {
                self.shape()
            }

            #[inline]
            fn values(&self) -> Option<&[T]> {
                ArrayRef::as_slice(self)
            }

            fn array_view(&self) -> ArrayViewD<'_, T> {
                ArrayRef::view(self).into_dyn()
            }

            #[inline]
            fn values_mut(&mut self) -> Option<&mut [T]> {
                ArrayRef::as_slice_mut(self)
            }

            fn array_view_mut(&mut self) -> ArrayViewMutD<'_, T> {
                ArrayRef::view_mut(self).into_dyn()
            }

            #[inline]
            fn take_array(&mut self) -> ArrayD<T> {
                let $this = self;
                $take
            }

            #[inline]
            fn put_array(&mut self, $new: ArrayD<T>) -> Result<(), ArrayD<T>> {
                let $slot = self;
                $put
            }
        }

        impl<$($generics)* T: Element, D: Dimension> Module for $array {
            #[inline]
            fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
                visitor.leaf::<T>(LeafRef::Array(self), at, None);
            }

            #[inline]
            fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
                visitor.leaf::<T>(LeafMut::Array(self), at, None);
            }
        }

        impl<$($generics)* T: Inexact, D: Dimension> Param for $array {
            type Elem = T;
        }
    };
}

storage!([] Array<T, D>,
    |array| { let rank = array.ndim(); std::mem::replace(array, hollow(rank)).into_dyn() },
    |array, new| { *array = ranked(new)?; Ok(()) });

storage!([] ArcArray<T, D>,
    |array| {
        let rank = array.ndim();
        std::mem::replace(array, hollow(rank).into()).into_owned().into_dyn()
    },
    |array, new| { *array = ranked(new)?.into(); Ok(()) });

storage!(['c,] CowArray<'c, T, D>,
    |array| {
        let rank = array.ndim();
        std::mem::replace(array, hollow(rank).into()).into_owned().into_dyn()
    },
    |array, new| { *array = ranked(new)?.into(); Ok(()) });

storage!(['v,] ArrayViewMut<'v, T, D>,
|array| ArrayRef::to_owned(array).into_dyn(),
|array, new| {
    if array.shape() != new.shape() {
        return Err(new);
    }
    array.assign(&ranked::<T, D>(new)?);
    Ok(())
});
