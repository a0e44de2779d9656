//! `Reparam<P>`: a value that is a function of trained parameters.

use std::ops::Deref;
use std::sync::OnceLock;

use crate::at::At;
use crate::module::{Module, Visitor, VisitorMut};

/// A value as a function of parameters, which need be no bijection.
///
/// The parameters are a module; what is in the tree is they. See [`Reparam`].
pub trait Parameterization: Module + Sized {
    /// What they stand for.
    type Value;

    /// The value at these parameters.
    fn value(&self) -> Self::Value;

    /// The pull-back of a gradient: the transposed Jacobian of [`value`](Self::value) at these
    /// parameters, times `value_bar`. The result is in natural space: a layout takes it
    /// through the transforms of the parameters, if they have any.
    #[must_use]
    fn pullback(&self, value_bar: &Self::Value) -> Self;
}

/// A value that is computed from trained parameters, and reached by deref.
///
/// In the tree stand the parameters, as if they stood here themselves. The value is computed
/// at the first read after a mutable walk, once. Where the parameters hold a `Reparam` or a
/// [`Constrained`](crate::Constrained) of their own, that is resolved first.
///
/// A backward pass that has the gradient of the value gets that of the parameters from
/// [`pullback`](Self::pullback), as the field of a gradient of the model's type.
///
/// ```
/// use ndarray::{Array1, Array2, array};
/// use paramtree::{Layout, Module, Parameterization, Reparam};
///
/// /// A symmetric matrix of rank one: w wᵀ.
/// #[derive(Module)]
/// struct RankOne {
///     w: Array1<f64>,
/// }
///
/// impl Parameterization for RankOne {
///     type Value = Array2<f64>;
///
///     fn value(&self) -> Array2<f64> {
///         let column = self.w.view().insert_axis(ndarray::Axis(1));
///         column.dot(&column.t())
///     }
///
///     fn pullback(&self, value_bar: &Array2<f64>) -> Self {
///         Self { w: value_bar.dot(&self.w) + value_bar.t().dot(&self.w) }
///     }
/// }
///
/// #[derive(Module)]
/// struct Model {
///     coupling: Reparam<RankOne>,
/// }
///
/// let mut model = Model { coupling: Reparam::new(RankOne { w: array![1.0, 2.0] }) };
/// assert_eq!(*model.coupling, array![[1.0, 2.0], [2.0, 4.0]]);
///
/// // f = the sum of the entries, whose gradient is all ones.
/// let gradient = Model { coupling: model.coupling.pullback(&Array2::ones((2, 2))) };
/// let layout = Layout::of(&model)?;
/// assert_eq!(layout.names(), ["coupling.w[0]", "coupling.w[1]"]);
/// assert_eq!(layout.pullback::<f64, _>(&model, &gradient)?, [6.0, 6.0]);
///
/// layout.unflatten(&mut model, &[0.0, 3.0])?;
/// assert_eq!(model.coupling[[1, 1]], 9.0);
/// # Ok::<(), paramtree::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reparam<P: Parameterization> {
    params: P,
    /// Empty from each change of the parameters to the next read.
    value: OnceLock<P::Value>,
}

impl<P: Parameterization> Reparam<P> {
    /// The value at these parameters.
    #[must_use]
    pub const fn new(params: P) -> Self {
        let value = OnceLock::new();
        Self { params, value }
    }

    /// The parameters.
    pub const fn params(&self) -> &P {
        &self.params
    }

    /// The parameters, to be changed.
    pub fn params_mut(&mut self) -> &mut P {
        self.value = OnceLock::new();
        &mut self.params
    }

    /// The parameters alone.
    #[must_use]
    pub fn into_params(self) -> P {
        self.params
    }

    /// The gradient of the parameters, given that of the value.
    #[must_use]
    pub fn pullback(&self, value_bar: &P::Value) -> Self {
        Self::new(self.params.pullback(value_bar))
    }
}

impl<P: Parameterization> Deref for Reparam<P> {
    type Target = P::Value;

    fn deref(&self) -> &P::Value {
        self.value.get_or_init(|| self.params.value())
    }
}

impl<P: Parameterization> Module for Reparam<P> {
    #[inline]
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        self.params.visit(at, visitor);
    }

    #[inline]
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        self.params_mut().visit_mut(at, visitor);
    }
}
