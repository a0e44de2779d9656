//! `Frozen<T>`: the declaration as a type.

use std::ops::Deref;

use ndarray::{ArrayD, ArrayViewD, ArrayViewMutD};

use crate::at::At;
use crate::leaf::Storage;
use crate::module::{Constant, Module, Param, Visitor, VisitorMut};

/// A value that is declared frozen, wherever it stands: `Vec<Frozen<Table>>`.
///
/// As `#[frozen]` on a field: no mask, no optimiser and no flat vector ever holds
/// it, and it is still listed, saved and loaded. It derefs to the value; changing it
/// is an act of its owner, by [`Frozen::unfrozen_mut`].
///
/// ```
/// use paramtree::{Frozen, Layout, Module};
///
/// #[derive(Module)]
/// struct Kernel {
///     period: Frozen<f64>,
///     lengthscale: f64,
/// }
///
/// let kernel = Kernel { period: Frozen::new(1.0), lengthscale: 0.5 };
/// assert_eq!(Layout::of(&kernel)?.len(), 1);
/// assert_eq!(*kernel.period, 1.0);
/// # Ok::<(), paramtree::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frozen<T: ?Sized>(T);

impl<T> Frozen<T> {
    /// Declares a value frozen.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value, no longer frozen.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T: ?Sized> Frozen<T> {
    /// The value, to be changed by its owner.
    #[must_use]
    pub fn unfrozen_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: ?Sized> Deref for Frozen<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Frozen<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: Constant + ?Sized> Module for Frozen<T> {
    #[inline]
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        self.0.visit_frozen(at, visitor);
    }

    #[inline]
    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        self.0.visit_frozen_mut(at, visitor);
    }
}

/// Its leaves are listed with the transform of the field.
#[diagnostic::do_not_recommend]
impl<P: Param> Param for Frozen<P> {
    type Elem = P::Elem;
}

/// For a wrapper of it. No walk shows it but as declared frozen.
impl<T, S: Storage<T>> Storage<T> for Frozen<S> {
    fn dims(&self) -> &[usize] {
        self.0.dims()
    }

    fn values(&self) -> Option<&[T]> {
        self.0.values()
    }

    fn array_view(&self) -> ArrayViewD<'_, T> {
        self.0.array_view()
    }

    fn values_mut(&mut self) -> Option<&mut [T]> {
        self.0.values_mut()
    }

    fn array_view_mut(&mut self) -> ArrayViewMutD<'_, T> {
        self.0.array_view_mut()
    }

    fn take_array(&mut self) -> ArrayD<T> {
        self.0.take_array()
    }

    fn put_array(&mut self, array: ArrayD<T>) -> Result<(), ArrayD<T>> {
        self.0.put_array(array)
    }
}
