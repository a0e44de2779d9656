//! What a visitor is shown: a scalar, a vector or an array.

mod shelf;
mod write;

use ndarray::{ArrayD, ArrayViewD, aview0, aview1};

pub use self::shelf::{Load, Shelf};
pub(crate) use self::write::{assign, constrain, constrain_array};
use crate::transform::Transform;

/// An array type as a leaf: `ndarray`'s here, one's own by hand.
///
/// No method is named like one of `ndarray::ArrayRef`'s or `Iterator`'s, so that
/// none shadows another in silence.
pub trait Storage<T> {
    /// The lengths of the axes.
    fn dims(&self) -> &[usize];

    /// The elements in logical (row-major) order, where they lie so in memory.
    fn values(&self) -> Option<&[T]>;

    /// The elements in logical order, however they lie in memory.
    fn array_view(&self) -> ArrayViewD<'_, T>;

    /// As [`values`](Self::values), to write. `Some` exactly where that is.
    fn values_mut(&mut self) -> Option<&mut [T]>;

    /// As [`array_view`](Self::array_view), to write.
    fn array_view_mut(&mut self) -> ndarray::ArrayViewMutD<'_, T>;

    /// Moves the array out and leaves one without elements (of rank 0: one of no
    /// meaning). A view, which does not own its elements, gives a copy and stays.
    fn take_array(&mut self) -> ArrayD<T>;

    /// Moves an array in, in place of what is there.
    ///
    /// # Errors
    ///
    /// Gives the array back if it cannot be held: its rank, or for a view its
    /// shape, is another.
    fn put_array(&mut self, array: ArrayD<T>) -> Result<(), ArrayD<T>>;

    /// The unconstrained coordinates, where the leaf keeps them beside its natural
    /// values: they are then taken as they are, and not computed from those. Whoever
    /// implements this implements [`put_coordinates`](Self::put_coordinates) too, and
    /// gives none once the natural values were written by themselves.
    fn coordinates(&self) -> Option<&[T]> {
        None
    }

    /// Writes the unconstrained coordinates, and with them the natural values, if the
    /// leaf keeps both; else it does nothing and returns `false`.
    ///
    /// `transform` is what the walk showed with the leaf.
    fn put_coordinates(&mut self, x: &[T], transform: &dyn Transform<T>) -> bool {
        let _ = (x, transform);
        false
    }

    #[doc(hidden)]
    fn shelve(&mut self, to: &mut Shelf<T>) {
        to.push_dynamic(self.take_array());
    }

    #[doc(hidden)]
    fn unshelve(&mut self, load: &mut Load<T>) {
        if let Some(array) = load.dynamic.next() {
            // What was taken from here has the right rank.
            let _ = self.put_array(array);
        }
    }
}

/// A leaf, to read.
pub enum LeafRef<'a, T> {
    /// A bare number, of shape `[]`.
    Scalar(&'a T),
    /// A `Vec`, slice or built-in array of numbers, of shape `[n]`.
    Vector(&'a [T]),
    /// An array type.
    Array(&'a dyn Storage<T>),
}

/// A leaf, to write.
pub enum LeafMut<'a, T> {
    /// A bare number, of shape `[]`.
    Scalar(&'a mut T),
    /// A slice or built-in array of numbers, of shape `[n]`.
    Vector(&'a mut [T]),
    /// A `Vec` of numbers, of shape `[n]`, whose buffer may be moved.
    Vec(&'a mut Vec<T>),
    /// An array type.
    Array(&'a mut dyn Storage<T>),
    /// A leaf in shared storage: it is walked, but it can be read only.
    Shared(LeafRef<'a, T>),
}

impl<T> Clone for LeafRef<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for LeafRef<'_, T> {}

impl<'a, T> LeafRef<'a, T> {
    /// The number of elements.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Scalar(_) => 1,
            Self::Vector(values) => values.len(),
            Self::Array(array) => array.dims().iter().product(),
        }
    }

    /// Whether there is no element.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lengths of the axes: none for a scalar.
    #[must_use]
    pub fn shape(&self) -> Vec<usize> {
        match self {
            Self::Scalar(_) => Vec::new(),
            Self::Vector(values) => vec![values.len()],
            Self::Array(array) => array.dims().to_vec(),
        }
    }

    /// Calls `f` with the lengths of the axes.
    #[inline]
    pub(crate) fn with_shape<R>(&self, f: impl FnOnce(&[usize]) -> R) -> R {
        match self {
            Self::Scalar(_) => f(&[]),
            Self::Vector(values) => f(&[values.len()]),
            Self::Array(array) => f(array.dims()),
        }
    }

    /// The elements in logical order, where they lie so in memory.
    #[inline]
    #[must_use]
    pub fn values(&self) -> Option<&'a [T]> {
        match *self {
            Self::Scalar(value) => Some(std::slice::from_ref(value)),
            Self::Vector(values) => Some(values),
            Self::Array(array) => array.values(),
        }
    }

    /// The unconstrained coordinates, where the leaf keeps them.
    #[must_use]
    pub fn coordinates(&self) -> Option<&'a [T]> {
        match *self {
            Self::Scalar(_) | Self::Vector(_) => None,
            Self::Array(array) => array.coordinates(),
        }
    }

    /// The elements in logical order, however they lie in memory.
    #[must_use]
    pub fn array_view(&self) -> ArrayViewD<'a, T> {
        match *self {
            Self::Scalar(value) => aview0(value).into_dyn(),
            Self::Vector(values) => aview1(values).into_dyn(),
            Self::Array(array) => array.array_view(),
        }
    }
}

impl<'a, T> LeafMut<'a, T> {
    /// The same leaf, to read.
    #[inline]
    #[must_use]
    pub fn as_ref(&self) -> LeafRef<'_, T> {
        match self {
            Self::Scalar(value) => LeafRef::Scalar(value),
            Self::Vector(values) => LeafRef::Vector(values),
            Self::Vec(values) => LeafRef::Vector(values),
            Self::Array(array) => LeafRef::Array(&**array),
            Self::Shared(leaf) => *leaf,
        }
    }

    /// The elements in logical order, where they lie so in memory and may be written.
    #[inline]
    #[must_use]
    pub fn into_values(self) -> Option<&'a mut [T]> {
        match self {
            Self::Scalar(value) => Some(std::slice::from_mut(value)),
            Self::Vector(values) => Some(values),
            Self::Vec(values) => Some(values),
            Self::Array(array) => array.values_mut(),
            Self::Shared(_) => None,
        }
    }
}
