//! The bridge to trait objects: `Vec<Box<dyn Layer>>` for a user's own trait.

use std::any::type_name;

use crate::at::At;
use crate::element::Element;
use crate::erased::{DynVisitor, DynVisitorMut};
use crate::hash::hash;
use crate::leaf::{LeafMut, LeafRef};
use crate::module::{Module, Visitor, VisitorMut};
use crate::transform::Transform;

/// [`Module`], fit for `dyn`: every module is one.
///
/// Make it a supertrait of your own trait, and that trait's objects a module with
/// [`dyn_module!`](crate::dyn_module):
///
/// ```
/// use ndarray::{Array1, Array2};
/// use paramtree::{DynModule, Module, dyn_module, leaves};
///
/// trait Layer: DynModule {
///     fn forward(&self, x: &Array1<f64>) -> Array1<f64>;
/// }
/// dyn_module!(dyn Layer);
///
/// #[derive(Module)]
/// struct Dense { weight: Array2<f64> }
/// impl Layer for Dense {
///     fn forward(&self, x: &Array1<f64>) -> Array1<f64> { self.weight.dot(x) }
/// }
///
/// #[derive(Module)]
/// struct Scale(f64);
/// impl Layer for Scale {
///     fn forward(&self, x: &Array1<f64>) -> Array1<f64> { x * self.0 }
/// }
///
/// #[derive(Module)]
/// struct Net { layers: Vec<Box<dyn Layer>> }
///
/// let net = Net { layers: vec![Box::new(Dense { weight: Array2::eye(2) }), Box::new(Scale(2.0))] };
/// let y = net.layers.iter().fold(Array1::ones(2), |x, layer| layer.forward(&x));
/// assert_eq!(y, ndarray::array![2.0, 2.0]);
/// let paths: Vec<_> = leaves(&net).iter().map(|leaf| leaf.path().to_owned()).collect();
/// assert_eq!(paths, ["layers.0.weight", "layers.1.0"]);
/// ```
pub trait DynModule {
    /// [`Module::visit`] through `dyn`.
    fn dyn_visit<'a>(&'a self, at: At<'_>, visitor: &mut dyn DynVisitor<'a>);

    /// [`Module::visit_mut`] through `dyn`.
    fn dyn_visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut dyn DynVisitorMut<'a>);
}

impl<M: Module> DynModule for M {
    fn dyn_visit<'a>(&'a self, at: At<'_>, visitor: &mut dyn DynVisitor<'a>) {
        // Which type stands behind the `dyn` is a choice made at run time.
        visitor.dyn_choice(hash(type_name::<M>()));
        self.visit(at, &mut Erased(visitor));
    }

    fn dyn_visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut dyn DynVisitorMut<'a>) {
        visitor.dyn_choice(hash(type_name::<M>()));
        self.visit_mut(at, &mut Erased(visitor));
    }
}

/// Makes the objects of a trait that has [`DynModule`](crate::DynModule) as a
/// supertrait modules: `dyn_module!(dyn Layer)`, `dyn_module!(dyn Layer + Send)`.
#[macro_export]
macro_rules! dyn_module {
    (dyn $($object:tt)+) => {
        impl $crate::Module for dyn $($object)+ + '_ {
            fn visit<'a>(&'a self, at: $crate::At<'_>, visitor: &mut impl $crate::Visitor<'a>) {
                $crate::DynModule::dyn_visit(self, at, visitor);
            }

            fn visit_mut<'a>(
                &'a mut self,
                at: $crate::At<'_>,
                visitor: &mut impl $crate::VisitorMut<'a>,
            ) {
                $crate::DynModule::dyn_visit_mut(self, at, visitor);
            }
        }
    };
}

/// A visitor behind `dyn`, as a visitor again.
struct Erased<'v, V: ?Sized>(&'v mut V);

impl<'a> Visitor<'a> for Erased<'_, dyn DynVisitor<'a> + '_> {
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafRef<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        T::show(self.0, leaf, at, transform);
    }

    fn choice(&mut self, value: u64) {
        self.0.dyn_choice(value);
    }
}

impl<'a> VisitorMut<'a> for Erased<'_, dyn DynVisitorMut<'a> + '_> {
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafMut<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        T::show_mut(self.0, leaf, at, transform);
    }

    fn choice(&mut self, value: u64) {
        self.0.dyn_choice(value);
    }
}

macro_rules! bridge {
    ($($element:ident),*) => {
        impl<'a, V: Visitor<'a>> DynVisitor<'a> for V {
            $(fn $element(
                &mut self,
                leaf: LeafRef<'a, $element>,
                at: At<'_>,
                transform: Option<&dyn Transform<$element>>,
            ) {
                self.leaf(leaf, at, transform);
            })*

            fn dyn_choice(&mut self, value: u64) {
                self.choice(value);
            }
        }

        impl<'a, V: VisitorMut<'a>> DynVisitorMut<'a> for V {
            $(fn $element(
                &mut self,
                leaf: LeafMut<'a, $element>,
                at: At<'_>,
                transform: Option<&dyn Transform<$element>>,
            ) {
                self.leaf(leaf, at, transform);
            })*

            fn dyn_choice(&mut self, value: u64) {
                self.choice(value);
            }
        }
    };
}

bridge!(
    bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64
);
