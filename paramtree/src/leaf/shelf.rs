//! Where leaves stand that were taken out of a model: by kind, each as it was.

use std::vec;

use ndarray::{Array1, Array2, ArrayD};

use crate::leaf::{LeafMut, LeafRef, Storage};

/// How a leaf was stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Scalar,
    Vector,
    One,
    Two,
    Dynamic,
}

/// Leaves of one element type, in the order of the walk. The common array types stand
/// there as they are: turning each into a dynamic one and back would cost more than all
/// the rest.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Shelf<T> {
    pub(crate) kinds: Vec<Kind>,
    scalars: Vec<T>,
    vectors: Vec<Vec<T>>,
    ones: Vec<Array1<T>>,
    twos: Vec<Array2<T>>,
    dynamic: Vec<ArrayD<T>>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self {
            kinds: Vec::new(),
            scalars: Vec::new(),
            vectors: Vec::new(),
            ones: Vec::new(),
            twos: Vec::new(),
            dynamic: Vec::new(),
        }
    }
}

macro_rules! push {
    ($($name:ident $kind:ident $field:ident $type:ty),*) => {$(
        #[inline]
        pub(crate) fn $name(&mut self, leaf: $type) {
            self.kinds.push(Kind::$kind);
            self.$field.push(leaf);
        }
    )*};
}

impl<T> Shelf<T> {
    push!(
        push_scalar Scalar scalars T,
        push_vector Vector vectors Vec<T>,
        push_one One ones Array1<T>,
        push_two Two twos Array2<T>,
        push_dynamic Dynamic dynamic ArrayD<T>
    );

    /// The leaves, to be taken off one by one.
    pub(crate) fn unload(self) -> Load<T> {
        Load {
            scalars: self.scalars.into_iter(),
            vectors: self.vectors.into_iter(),
            ones: self.ones.into_iter(),
            twos: self.twos.into_iter(),
            dynamic: self.dynamic.into_iter(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = LeafRef<'_, T>>
    where
        Array1<T>: Storage<T>,
        Array2<T>: Storage<T>,
        ArrayD<T>: Storage<T>,
    {
        let (mut scalars, mut vectors) = (self.scalars.iter(), self.vectors.iter());
        let (mut ones, mut twos) = (self.ones.iter(), self.twos.iter());
        let mut dynamic = self.dynamic.iter();
        self.kinds.iter().filter_map(move |kind| match kind {
            Kind::Scalar => scalars.next().map(LeafRef::Scalar),
            Kind::Vector => vectors.next().map(|values| LeafRef::Vector(values)),
            Kind::One => ones.next().map(|array| LeafRef::Array(array)),
            Kind::Two => twos.next().map(|array| LeafRef::Array(array)),
            Kind::Dynamic => dynamic.next().map(|array| LeafRef::Array(array)),
        })
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = LeafMut<'_, T>>
    where
        Array1<T>: Storage<T>,
        Array2<T>: Storage<T>,
        ArrayD<T>: Storage<T>,
    {
        let (mut scalars, mut vectors) = (self.scalars.iter_mut(), self.vectors.iter_mut());
        let (mut ones, mut twos) = (self.ones.iter_mut(), self.twos.iter_mut());
        let mut dynamic = self.dynamic.iter_mut();
        self.kinds.iter().filter_map(move |kind| match kind {
            Kind::Scalar => scalars.next().map(LeafMut::Scalar),
            Kind::Vector => vectors.next().map(|values| LeafMut::Vector(values)),
            Kind::One => ones.next().map(|array| LeafMut::Array(array)),
            Kind::Two => twos.next().map(|array| LeafMut::Array(array)),
            Kind::Dynamic => dynamic.next().map(|array| LeafMut::Array(array)),
        })
    }
}

/// The leaves of a shelf, each kind in its order.
#[derive(Debug)]
#[doc(hidden)]
pub struct Load<T> {
    pub(crate) scalars: vec::IntoIter<T>,
    pub(crate) vectors: vec::IntoIter<Vec<T>>,
    pub(crate) ones: vec::IntoIter<Array1<T>>,
    pub(crate) twos: vec::IntoIter<Array2<T>>,
    pub(crate) dynamic: vec::IntoIter<ArrayD<T>>,
}
