//! One number for the structure of a value: what makes the check of a walk free.

use crate::at::At;
use crate::element::Element;
use crate::leaf::LeafRef;
use crate::module::{Module, Visitor};
use crate::transform::Transform;

/// Folds the choices and the shapes that a walk meets.
///
/// Two values of one type whose walks tell the same choices have the same leaves, so
/// fields cost nothing here: a struct of numbers folds to no code at all. A chance
/// collision (2⁻⁶⁴) lets a wrong vector in, but nothing relies on this for safety.
#[derive(Default)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    #[inline]
    fn fold(&mut self, value: u64) {
        // An odd multiplier: no value is lost (Fx hash, as rustc uses it).
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    /// Each length with its axis: where one array ends and the next begins shows, since the
    /// rank of an array may be chosen at run time.
    #[inline]
    fn fold_shape(&mut self, shape: &[usize]) {
        if shape.is_empty() {
            self.fold(u64::MAX);
        }
        for (axis, n) in (0_u64..).zip(shape) {
            self.fold(*n as u64 ^ (axis << 56));
        }
    }

    #[inline]
    pub(crate) fn get(self) -> u64 {
        self.0
    }
}

impl<'a> Visitor<'a> for Fingerprint {
    #[inline]
    fn leaf<T: Element>(&mut self, leaf: LeafRef<'a, T>, _: At<'_>, _: Option<&dyn Transform<T>>) {
        match leaf {
            LeafRef::Scalar(_) => {}
            LeafRef::Vector(values) => self.fold(values.len() as u64),
            LeafRef::Array(array) => self.fold_shape(array.dims()),
        }
    }

    #[inline]
    fn choice(&mut self, value: u64) {
        self.fold(value);
    }
}

/// The choices of a walk in one number.
#[cfg(feature = "optim")]
pub(crate) fn choices<M: Module + ?Sized>(model: &M) -> u64 {
    struct Choices(Fingerprint);
    impl<'a> Visitor<'a> for Choices {
        fn leaf<T: Element>(&mut self, _: LeafRef<'a, T>, _: At<'_>, _: Option<&dyn Transform<T>>) {
        }
        fn choice(&mut self, value: u64) {
            self.0.fold(value);
        }
    }
    let mut choices = Choices(Fingerprint::default());
    model.visit(At::root(), &mut choices);
    choices.0.get()
}

/// The shape of a leaf in one number.
#[cfg(feature = "optim")]
#[inline]
pub(crate) fn shape_print<T: Element>(leaf: LeafRef<'_, T>) -> u64 {
    let mut print = Fingerprint::default();
    print.leaf(leaf, At::root(), None);
    print.get()
}

/// The structure of a value, of the shapes too, in one number.
#[inline]
pub(crate) fn fingerprint<M: Module + ?Sized>(model: &M) -> u64 {
    let mut print = Fingerprint::default();
    model.visit(At::root(), &mut print);
    print.get()
}
