//! The numbers that a leaf may hold.

use std::fmt;

use crate::at::At;
use crate::erased::{DynVisitor, DynVisitorMut};
use crate::leaf::{LeafMut, LeafRef};
use crate::real::Real;
use crate::transform::Transform;

/// A number type that a leaf may hold: `f32`, `f64`, the integers of up to 64
/// bits, and `bool`.
///
/// The set is closed: it is what array files can hold, and what lets a walk go
/// through `dyn` (one method per type).
pub trait Element:
    Copy + PartialEq + fmt::Debug + fmt::Display + Send + Sync + sealed::Sealed + 'static
{
    /// The type's name.
    const DTYPE: Dtype;

    #[doc(hidden)]
    const ZERO: Self;

    /// Copies elements into a flat vector. Only inexact elements get there.
    #[doc(hidden)]
    #[inline]
    fn store<F: Inexact>(_values: &[Self], _flat: &mut [F]) {}

    /// Copies elements out of a flat vector. Only inexact elements get there.
    #[doc(hidden)]
    #[inline]
    fn load<F: Inexact>(_values: &mut [Self], _flat: &[F]) {}

    /// The transform, if it is one for this type.
    #[doc(hidden)]
    #[inline]
    fn same_type<I: Inexact>(_transform: &dyn Transform<I>) -> Option<&dyn Transform<Self>> {
        None
    }

    /// A part of a flat vector, if it is of this type.
    #[doc(hidden)]
    #[inline]
    fn same_slice<F: Inexact>(_flat: &[F]) -> Option<&[Self]> {
        None
    }

    /// As `same_slice`, to write.
    #[doc(hidden)]
    #[inline]
    fn same_slice_mut<F: Inexact>(_flat: &mut [F]) -> Option<&mut [Self]> {
        None
    }

    /// Picks this type's member of a pair.
    #[doc(hidden)]
    #[inline]
    fn pick<P: PerInexact>(_pair: &mut P) -> Option<&mut P::Of<Self>> {
        None
    }

    /// Whether the number is neither infinite nor NaN.
    #[doc(hidden)]
    #[inline]
    fn is_finite_number(self) -> bool {
        true
    }

    /// Shows the leaf to who can compute with its numbers, if they are inexact.
    #[doc(hidden)]
    #[inline]
    fn compute<'a>(
        visitor: &mut impl ComputeVisitor<'a>,
        leaf: LeafRef<'a, Self>,
        at: At<'_>,
        transform: Option<&dyn Transform<Self>>,
    ) {
        let _ = (visitor, leaf, at, transform);
    }

    /// As `compute`, to write.
    #[doc(hidden)]
    #[inline]
    fn compute_mut<'a>(
        visitor: &mut impl ComputeVisitorMut<'a>,
        leaf: LeafMut<'a, Self>,
        at: At<'_>,
        transform: Option<&dyn Transform<Self>>,
    ) {
        let _ = (visitor, leaf, at, transform);
    }

    #[doc(hidden)]
    fn show<'a>(
        visitor: &mut (impl DynVisitor<'a> + ?Sized),
        leaf: LeafRef<'a, Self>,
        at: At<'_>,
        transform: Option<&dyn Transform<Self>>,
    );

    #[doc(hidden)]
    fn show_mut<'a>(
        visitor: &mut (impl DynVisitorMut<'a> + ?Sized),
        leaf: LeafMut<'a, Self>,
        at: At<'_>,
        transform: Option<&dyn Transform<Self>>,
    );
}

/// An element that can be trained: `f32` or `f64`. Flat vectors are made of them.
pub trait Inexact: Element + Real + Default {
    #[doc(hidden)]
    fn from_f32s(values: &[f32], out: &mut [Self]);
    #[doc(hidden)]
    fn from_f64s(values: &[f64], out: &mut [Self]);
    #[doc(hidden)]
    fn f32_transform(transform: &dyn Transform<Self>) -> Option<&dyn Transform<f32>>;
    #[doc(hidden)]
    fn f64_transform(transform: &dyn Transform<Self>) -> Option<&dyn Transform<f64>>;
    #[doc(hidden)]
    fn as_f32s(values: &[Self]) -> Option<&[f32]>;
    #[doc(hidden)]
    fn as_f64s(values: &[Self]) -> Option<&[f64]>;
    #[doc(hidden)]
    fn as_f32s_mut(values: &mut [Self]) -> Option<&mut [f32]>;
    #[doc(hidden)]
    fn as_f64s_mut(values: &mut [Self]) -> Option<&mut [f64]>;
}

/// A visitor that does arithmetic: it sees the inexact leaves alone, as such.
#[doc(hidden)]
pub trait ComputeVisitor<'a> {
    fn inexact<T: Inexact>(
        &mut self,
        leaf: LeafRef<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    );

    #[inline]
    fn choice(&mut self, value: u64) {
        let _ = value;
    }
}

/// As [`ComputeVisitor`], to write.
#[doc(hidden)]
pub trait ComputeVisitorMut<'a> {
    fn inexact<T: Inexact>(
        &mut self,
        leaf: LeafMut<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    );
}

/// What `f32` and `f64` have in common that types can be made of them without more ado.
pub trait Plain: Copy + Send + Sync + 'static {}

impl<T: Copy + Send + Sync + 'static> Plain for T {}

/// One thing for `f32` and one for `f64`.
#[doc(hidden)]
pub trait PerInexact {
    type Of<T: Plain>;
    fn for_f32(&mut self) -> &mut Self::Of<f32>;
    fn for_f64(&mut self) -> &mut Self::Of<f64>;
}

mod sealed {
    pub trait Sealed {}
}

/// The name of an element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs)] // each is the type of that name
pub enum Dtype {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
    F32,
    F64,
}

impl Dtype {
    /// Whether numbers of this type can be trained.
    #[inline]
    #[must_use]
    pub const fn is_inexact(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}").to_lowercase())
    }
}

macro_rules! show {
    ($element:ident) => {
        #[inline]
        fn show<'a>(
            visitor: &mut (impl DynVisitor<'a> + ?Sized),
            leaf: LeafRef<'a, Self>,
            at: At<'_>,
            transform: Option<&dyn Transform<Self>>,
        ) {
            visitor.$element(leaf, at, transform);
        }

        #[inline]
        fn show_mut<'a>(
            visitor: &mut (impl DynVisitorMut<'a> + ?Sized),
            leaf: LeafMut<'a, Self>,
            at: At<'_>,
            transform: Option<&dyn Transform<Self>>,
        ) {
            visitor.$element(leaf, at, transform);
        }
    };
}

macro_rules! exact {
    ($($element:ident $dtype:ident $zero:literal),*) => {$(
        impl sealed::Sealed for $element {}
        impl Element for $element {
            const DTYPE: Dtype = Dtype::$dtype;
            const ZERO: Self = $zero;
            show!($element);
        }
    )*};
}

exact!(
    bool Bool false, i8 I8 0, i16 I16 0, i32 I32 0, i64 I64 0, isize Isize 0,
    u8 U8 0, u16 U16 0, u32 U32 0, u64 U64 0, usize Usize 0
);

macro_rules! inexact {
    ($element:ident $dtype:ident $from:ident $as:ident $as_mut:ident $transform:ident $pick:ident) => {
        impl sealed::Sealed for $element {}
        impl Element for $element {
            const DTYPE: Dtype = Dtype::$dtype;
            const ZERO: Self = 0.0;

            #[inline]
            fn store<F: Inexact>(values: &[Self], flat: &mut [F]) {
                F::$from(values, flat);
            }

            #[inline]
            fn load<F: Inexact>(values: &mut [Self], flat: &[F]) {
                match (F::as_f32s(flat), F::as_f64s(flat)) {
                    (Some(flat), _) => Self::from_f32s(flat, values),
                    (_, Some(flat)) => Self::from_f64s(flat, values),
                    _ => {}
                }
            }

            #[inline]
            fn same_type<I: Inexact>(transform: &dyn Transform<I>) -> Option<&dyn Transform<Self>> {
                I::$transform(transform)
            }

            #[inline]
            fn same_slice<F: Inexact>(flat: &[F]) -> Option<&[Self]> {
                F::$as(flat)
            }

            #[inline]
            fn same_slice_mut<F: Inexact>(flat: &mut [F]) -> Option<&mut [Self]> {
                F::$as_mut(flat)
            }

            #[inline]
            fn pick<P: PerInexact>(pair: &mut P) -> Option<&mut P::Of<Self>> {
                Some(pair.$pick())
            }

            #[inline]
            fn is_finite_number(self) -> bool {
                self.is_finite()
            }

            #[inline]
            fn compute<'a>(
                visitor: &mut impl ComputeVisitor<'a>,
                leaf: LeafRef<'a, Self>,
                at: At<'_>,
                transform: Option<&dyn Transform<Self>>,
            ) {
                visitor.inexact(leaf, at, transform);
            }

            #[inline]
            fn compute_mut<'a>(
                visitor: &mut impl ComputeVisitorMut<'a>,
                leaf: LeafMut<'a, Self>,
                at: At<'_>,
                transform: Option<&dyn Transform<Self>>,
            ) {
                visitor.inexact(leaf, at, transform);
            }

            show!($element);
        }
    };
}

inexact!(f32 F32 from_f32s as_f32s as_f32s_mut f32_transform for_f32);
inexact!(f64 F64 from_f64s as_f64s as_f64s_mut f64_transform for_f64);

#[allow(clippy::cast_possible_truncation)] // f64 to f32 rounds, as documented
mod casts {
    use super::{Inexact, Transform};

    macro_rules! casts {
        ($own:ident: $same:ident $as_same:ident $as_same_mut:ident $same_transform:ident,
         $other:ident: $cast:ident $as_other:ident $as_other_mut:ident $other_transform:ident) => {
            impl Inexact for $own {
                #[inline]
                fn $same(values: &[$own], out: &mut [Self]) {
                    if out.len() == values.len() {
                        out.copy_from_slice(values);
                    }
                }

                #[inline]
                #[allow(clippy::cast_lossless)] // one macro for both directions
                fn $cast(values: &[$other], out: &mut [Self]) {
                    for (out, value) in out.iter_mut().zip(values) {
                        *out = *value as Self;
                    }
                }

                #[inline]
                fn $same_transform(
                    transform: &dyn Transform<Self>,
                ) -> Option<&dyn Transform<$own>> {
                    Some(transform)
                }

                #[inline]
                fn $other_transform(_: &dyn Transform<Self>) -> Option<&dyn Transform<$other>> {
                    None
                }

                #[inline]
                fn $as_same(values: &[Self]) -> Option<&[$own]> {
                    Some(values)
                }

                #[inline]
                fn $as_same_mut(values: &mut [Self]) -> Option<&mut [$own]> {
                    Some(values)
                }

                #[inline]
                fn $as_other(_: &[Self]) -> Option<&[$other]> {
                    None
                }

                #[inline]
                fn $as_other_mut(_: &mut [Self]) -> Option<&mut [$other]> {
                    None
                }
            }
        };
    }

    casts!(f32: from_f32s as_f32s as_f32s_mut f32_transform,
           f64: from_f64s as_f64s as_f64s_mut f64_transform);
    casts!(f64: from_f64s as_f64s as_f64s_mut f64_transform,
           f32: from_f32s as_f32s as_f32s_mut f32_transform);
}
