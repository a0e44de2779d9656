//! The waist: how a struct is walked.

use crate::at::At;
use crate::element::{Element, Inexact};
use crate::leaf::{LeafMut, LeafRef};
use crate::transform::Transform;

#[doc = include_str!("../docs/by-hand.md")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `Module`",
    label = "not a module",
    note = "derive it on the type, `#[derive(Module)]` (on a trait, `dyn_module!`), or keep the field out of the tree, `#[param(skip)]`"
)]
pub trait Module {
    /// Shows every leaf, in the order of declaration.
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>);

    /// Shows every leaf, in the order of declaration, to be written.
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>);

    // How sequences are walked. Numbers do it otherwise: a sequence of them is one leaf.

    #[doc(hidden)]
    #[inline]
    fn visit_slice<'a>(slice: &'a [Self], at: At<'_>, visitor: &mut impl Visitor<'a>)
    where
        Self: Sized,
    {
        visitor.choice(slice.len() as u64);
        for (i, item) in slice.iter().enumerate() {
            item.visit(at.index(i), visitor);
        }
    }

    #[doc(hidden)]
    #[inline]
    fn visit_slice_mut<'a>(slice: &'a mut [Self], at: At<'_>, visitor: &mut impl VisitorMut<'a>)
    where
        Self: Sized,
    {
        visitor.choice(slice.len() as u64);
        for (i, item) in slice.iter_mut().enumerate() {
            item.visit_mut(at.index(i), visitor);
        }
    }

    #[doc(hidden)]
    #[inline]
    fn visit_vec_mut<'a>(vec: &'a mut Vec<Self>, at: At<'_>, visitor: &mut impl VisitorMut<'a>)
    where
        Self: Sized,
    {
        Self::visit_slice_mut(vec, at, visitor);
    }
}

/// What a walk shows its leaves to.
pub trait Visitor<'a> {
    /// Sees a leaf, which lives as long as the model, and where it stands.
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafRef<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    );

    /// Hears of a choice made at run time: a length, the number of a variant,
    /// whether an `Option` holds something, the hash of a key.
    ///
    /// Two values of one type have the same leaves at the same places exactly if
    /// their walks tell the same choices.
    #[inline]
    fn choice(&mut self, value: u64) {
        let _ = value;
    }
}

/// What a mutable walk shows its leaves to.
pub trait VisitorMut<'a> {
    /// Sees a leaf, which lives as long as the model, and where it stands.
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafMut<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    );

    /// Hears of a choice made at run time, as [`Visitor::choice`] does.
    #[inline]
    fn choice(&mut self, value: u64) {
        let _ = value;
    }
}

/// What `#[frozen]` may stand on: every module, and shared storage of one
/// (`Arc`, `Rc`; the derive also takes `&`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `Module`, so it cannot be a frozen part of one",
    label = "not a module",
    note = "derive it on the type, `#[derive(Module)]`, or keep the field out of the tree, `#[param(skip)]`"
)]
pub trait Constant {
    /// Shows every leaf as declared frozen.
    fn visit_frozen<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>);

    /// Shows every leaf as declared frozen, to be written by a load only.
    fn visit_frozen_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>);

    /// Shows every leaf of a shared value within a mutable walk.
    fn visit_shared<'a>(&'a self, at: At<'_>, visitor: &mut impl VisitorMut<'a>);
}

impl<M: Module + ?Sized> Constant for M {
    #[inline]
    fn visit_frozen<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        self.visit(at.frozen(), visitor);
    }

    #[inline]
    fn visit_frozen_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        self.visit_mut(at.frozen(), visitor);
    }

    #[inline]
    fn visit_shared<'a>(&'a self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        self.visit(at.shared(), &mut ReadOnly(visitor));
    }
}

/// Shows a mutable visitor leaves that cannot be written.
struct ReadOnly<'v, V>(&'v mut V);

impl<'a, V: VisitorMut<'a>> Visitor<'a> for ReadOnly<'_, V> {
    #[inline]
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafRef<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        self.0.leaf(LeafMut::Shared(leaf), at, transform);
    }

    #[inline]
    fn choice(&mut self, value: u64) {
        self.0.choice(value);
    }
}

/// A module whose leaves all have one inexact element type, so that
/// `#[param(transform = …)]` can stand on it: `f32`, `f64`, arrays of them, and
/// `Vec`, `Option`, `Box`, maps, … of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes no transform",
    label = "neither a number nor an array of `f32` or `f64`",
    note = "a transform belongs on a field that holds `f32` or `f64`: a number, an array, or a `Vec`, `Option`, … of these"
)]
pub trait Param: Module {
    /// The element type of every leaf.
    type Elem: Inexact;

    // `E` is `Elem`: as a parameter it keeps a type that is no `Param` from being
    // reported once more at the transform.

    /// Shows every leaf with a transform.
    #[inline]
    fn visit_param<'a, E>(
        &'a self,
        transform: &dyn Transform<E>,
        at: At<'_>,
        visitor: &mut impl Visitor<'a>,
    ) where
        Self: Param<Elem = E>,
    {
        self.visit(at, &mut Through::<_, Self> { visitor, transform });
    }

    /// Shows every leaf with a transform, to be written.
    #[inline]
    fn visit_param_mut<'a, E>(
        &'a mut self,
        transform: &dyn Transform<E>,
        at: At<'_>,
        visitor: &mut impl VisitorMut<'a>,
    ) where
        Self: Param<Elem = E>,
    {
        self.visit_mut(at, &mut Through::<_, Self> { visitor, transform });
    }
}

/// Shows leaves with a transform.
struct Through<'v, 't, V, P: Param + ?Sized> {
    visitor: &'v mut V,
    transform: &'t dyn Transform<P::Elem>,
}

impl<'a, V: Visitor<'a>, P: Param + ?Sized> Visitor<'a> for Through<'_, '_, V, P> {
    #[inline]
    fn leaf<T: Element>(&mut self, leaf: LeafRef<'a, T>, at: At<'_>, _: Option<&dyn Transform<T>>) {
        self.visitor.leaf(leaf, at, T::same_type(self.transform));
    }

    #[inline]
    fn choice(&mut self, value: u64) {
        self.visitor.choice(value);
    }
}

impl<'a, V: VisitorMut<'a>, P: Param + ?Sized> VisitorMut<'a> for Through<'_, '_, V, P> {
    #[inline]
    fn leaf<T: Element>(&mut self, leaf: LeafMut<'a, T>, at: At<'_>, _: Option<&dyn Transform<T>>) {
        self.visitor.leaf(leaf, at, T::same_type(self.transform));
    }

    #[inline]
    fn choice(&mut self, value: u64) {
        self.visitor.choice(value);
    }
}
