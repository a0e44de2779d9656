//! Pointers: owners are walked through; what is shared cannot be trained.

use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use crate::at::At;
use crate::module::{Constant, Module, Param, Visitor, VisitorMut};

impl<M: Module + ?Sized> Module for Box<M> {
    #[inline]
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        (**self).visit(at, visitor);
    }

    #[inline]
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        (**self).visit_mut(at, visitor);
    }
}

#[diagnostic::do_not_recommend]
impl<P: Param + ?Sized> Param for Box<P> {
    type Elem = P::Elem;
}

impl<M: Module + ?Sized> Module for &mut M {
    #[inline]
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        (**self).visit(at, visitor);
    }

    #[inline]
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        (**self).visit_mut(at, visitor);
    }
}

#[diagnostic::do_not_recommend]
impl<P: Param + ?Sized> Param for &mut P {
    type Elem = P::Elem;
}

/// Implemented for `&str` alone: it carries the message for shared storage that is not
/// frozen.
#[diagnostic::on_unimplemented(
    message = "shared storage cannot be trained",
    label = "shared with whoever holds another handle",
    note = "mark the field `#[frozen]`: it is listed and saved, and never changed; or `#[param(skip)]` to keep it out of the tree"
)]
pub trait Exclusive {}

/// Stands for shared storage of a `T` in the message. It is local, so that no other
/// crate can implement [`Exclusive`] for it.
pub struct SharedHandle<T: ?Sized>(PhantomData<T>);

/// Text has no leaf: there is nothing to train through another handle.
#[diagnostic::do_not_recommend]
impl Exclusive for SharedHandle<&str> {}

macro_rules! shared {
    ($([$($lifetime:lifetime)?] $handle:ty),*) => {$(
        impl<$($lifetime,)? M: Module + ?Sized> Module for $handle
        where
            SharedHandle<$handle>: Exclusive,
        {
            fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
                (**self).visit(at.shared(), visitor);
            }

            fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
                (**self).visit_shared(at, visitor);
            }
        }
    )*};
}

shared!([] Arc<M>, [] Rc<M>, ['s] &'s M);

macro_rules! constant {
    ($($handle:ident),*) => {$(
        impl<M: Constant + ?Sized> Constant for $handle<M> {
            #[inline]
            fn visit_frozen<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
                (**self).visit_frozen(at.shared(), visitor);
            }

            #[inline]
            fn visit_frozen_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
                (**self).visit_shared(at, visitor);
            }

            #[inline]
            fn visit_shared<'a>(&'a self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
                (**self).visit_shared(at, visitor);
            }
        }
    )*};
}

constant!(Arc, Rc);
