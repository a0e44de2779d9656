//! Types without a leaf: nothing in them trains, so they need no attribute.

use std::cmp::Ordering;
use std::ffi::OsString;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use crate::at::At;
use crate::module::{Module, Visitor, VisitorMut};

macro_rules! nothing {
    ($([$($generics:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($generics)*> Module for $type {
            #[inline]
            fn visit<'a>(&'a self, _: At<'_>, _: &mut impl Visitor<'a>) {}

            #[inline]
            fn visit_mut<'a>(&'a mut self, _: At<'_>, _: &mut impl VisitorMut<'a>) {}
        }
    )*};
}

nothing!(
    [] (), [] char, [] str, [] String, [] OsString, [] PathBuf,
    [] Duration, [] Instant, [] SystemTime, [] Ordering,
    [T: ?Sized] PhantomData<T>,
    [R] fn() -> R, [R, A] fn(A) -> R, [R, A, B] fn(A, B) -> R, [R, A, B, C] fn(A, B, C) -> R,
);

// `fn(&Array1<f64>) -> f64` is another type than `fn(A) -> R` for any one `A`. The lint
// warns of a compiler change (rust-lang/rust#56105) that has long been made.
#[allow(coherence_leak_check)]
mod by_reference {
    use super::{At, Module, Visitor, VisitorMut};

    nothing!(
        [R, A: ?Sized] for<'r> fn(&'r A) -> R,
        [R, A: ?Sized] for<'r> fn(&'r mut A) -> R,
        [R, A: ?Sized, B: ?Sized] for<'r, 's> fn(&'r A, &'s B) -> R,
        [R, A: ?Sized, B] for<'r> fn(&'r A, B) -> R,
    );
}
