//! `ndarray`'s arrays, each a leaf.
//!
//! Arrays keep methods such as `as_slice` on `ArrayRef`, which a trait's method of
//! the same name would shadow: they are called by path.

use std::any::Any;
use std::mem;

use ndarray::{
    ArcArray, Array, Array1, Array2, ArrayD, ArrayRef, ArrayViewD, ArrayViewMut, ArrayViewMutD,
    CowArray, Dimension,
};

use crate::at::At;
use crate::element::{Element, Inexact};
use crate::leaf::{LeafMut, LeafRef, Storage};
use crate::leaf::{Load, Shelf};
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
    ([$($generics:tt)*] $array:ty, |$this:ident| $take:expr, |$slot:ident, $new:ident| $put:expr $(, $shelve:item $unshelve:item)?) => {
        impl<$($generics)* T: Element, D: Dimension + 'static> Storage<T> for $array {
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

            $(#[inline] $shelve #[inline] $unshelve)?
        }

        impl<$($generics)* T: Element, D: Dimension + 'static> Module for $array {
            #[inline]
            fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
                visitor.leaf::<T>(LeafRef::Array(self), at, None);
            }

            #[inline]
            fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
                visitor.leaf::<T>(LeafMut::Array(self), at, None);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)* T: Inexact, D: Dimension + 'static> Param for $array {
            type Elem = T;
        }
    };
}

storage!([] Array<T, D>,
    |array| { let rank = array.ndim(); mem::replace(array, hollow(rank)).into_dyn() },
    |array, new| { *array = ranked(new)?; Ok(()) },
    fn shelve(&mut self, to: &mut Shelf<T>) {
        // One of these at most is not `None`, which is known at compile time.
        let array: &mut dyn Any = self;
        if let Some(array) = array.downcast_mut::<Array1<T>>() {
            to.push_one(mem::replace(array, hollow(1)));
        } else if let Some(array) = array.downcast_mut::<Array2<T>>() {
            to.push_two(mem::replace(array, hollow(2)));
        } else {
            to.push_dynamic(self.take_array());
        }
    }
    fn unshelve(&mut self, load: &mut Load<T>) {
        let array: &mut dyn Any = self;
        if let Some(array) = array.downcast_mut::<Array1<T>>() {
            load.ones.next().into_iter().for_each(|new| *array = new);
        } else if let Some(array) = array.downcast_mut::<Array2<T>>() {
            load.twos.next().into_iter().for_each(|new| *array = new);
        } else {
            load.dynamic.next().into_iter().for_each(|new| drop(self.put_array(new)));
        }
    }
);

storage!([] ArcArray<T, D>,
    |array| {
        let rank = array.ndim();
        mem::replace(array, hollow(rank).into()).into_owned().into_dyn()
    },
    |array, new| { *array = ranked(new)?.into(); Ok(()) });

storage!(['c,] CowArray<'c, T, D>,
    |array| {
        let rank = array.ndim();
        mem::replace(array, hollow(rank).into()).into_owned().into_dyn()
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
