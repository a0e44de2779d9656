//! Layouts: where each trained leaf stands in the flat unconstrained vector.

mod check;
mod flatten;
mod jacobian;
mod pullback;
mod scratch;
mod unflatten;

use std::ops::Range;
use std::slice;
use std::sync::Arc;

use crate::at::At;
use crate::element::{Element, Inexact};
use crate::error::{Error, element};
use crate::layout::check::trained_fingerprint;
use crate::leaf::LeafRef;
use crate::mask::Mask;
use crate::module::Module;
use crate::structure::{Leaf, Shapes, Structure};
use crate::transform::Transform;

#[cfg(feature = "optim")]
pub(crate) use self::scratch::gathered;

/// Where each trained leaf of a model stands in a flat vector of unconstrained numbers.
///
/// The vector is what optimisers and samplers work on: a `Vec<f64>` or `Vec<f32>`, the
/// trained leaves in the order of declaration, each in row-major order whatever its
/// order in memory. A leaf with a transform stands there by its unconstrained
/// coordinates, any other as it is. Leaves of the other precision are cast, with
/// rounding to the nearest.
///
/// A layout is made of one value and serves every value of the same structure; a value
/// of another structure or shape is refused. On error nothing has been written.
/// Nothing is allocated per leaf.
///
/// ```
/// use ndarray::{Array1, array};
/// use paramtree::transform::Positive;
/// use paramtree::{Layout, Module};
///
/// #[derive(Module)]
/// struct Model {
///     weight: Array1<f64>,
///     #[param(transform = Positive)]
///     noise: f64,
///     #[frozen]
///     scale: f64,
/// }
///
/// let mut model = Model { weight: array![1.0, 2.0], noise: 1.0, scale: 3.0 };
/// let layout = Layout::of(&model)?;
///
/// let mut x: Vec<f64> = layout.flatten(&model)?;
/// assert_eq!(x, [1.0, 2.0, 0.0]); // ln 1 = 0
///
/// x[2] = 700.0;
/// layout.unflatten(&mut model, &x)?;
/// assert_eq!(model.noise, 700.0_f64.exp());
///
/// // A gradient in natural space is a value of the model's own type.
/// let gradient = Model { weight: array![0.1, 0.2], noise: 1e-300, scale: 0.0 };
/// let flat: Vec<f64> = layout.pullback(&model, &gradient)?;
/// assert_eq!(flat[..2], [0.1, 0.2]);
/// assert_eq!(flat[2], 1e-300 * 700.0_f64.exp());
/// # Ok::<(), paramtree::Error>(())
/// ```
///
/// # Transforms that read the model
///
/// The expression of `#[param(transform = …)]` is evaluated as the walk passes. If it
/// reads a field, that field should be frozen: `unflatten` writes a struct's fields with
/// the transforms that held before.
#[derive(Clone, Debug)]
pub struct Layout {
    structure: Arc<Structure>,
    /// Of the trainable leaves, which train; `None` if all do.
    flags: Option<Box<[bool]>>,
    slots: Vec<Slot>,
    len: usize,
    /// The choices, and the shapes of the trained leaves alone.
    trained_fingerprint: u64,
    has_transforms: bool,
    /// The elements of the trained leaves that have one.
    transformed: usize,
}

/// A trained leaf in the flat vector.
#[derive(Clone, Debug)]
struct Slot {
    /// The leaf's position among all leaves.
    leaf: usize,
    range: Range<usize>,
}

impl Layout {
    /// Lays out every leaf that is not declared frozen.
    ///
    /// # Errors
    ///
    /// A transform refuses its own parameters or the shape of its leaf.
    pub fn of<M: Module + ?Sized>(model: &M) -> Result<Self, Error> {
        Self::new(model, &Mask::of(model))
    }

    /// Lays out the leaves that train under a mask.
    ///
    /// # Errors
    ///
    /// The mask is of a model of another structure; or a transform refuses its own
    /// parameters or the shape of its leaf.
    pub fn new<M: Module + ?Sized>(model: &M, mask: &Mask) -> Result<Self, Error> {
        mask.check(model)?;
        let structure = Structure::of(model);
        let leaves = structure.leaves.iter().zip(&mask.trains);
        let flags: Box<[bool]> = leaves
            .filter(|(leaf, _)| leaf.is_trainable())
            .map(|(_, trains)| *trains)
            .collect();
        let flags = (!flags.iter().all(|trains| *trains)).then_some(flags);
        let (mut slots, mut len) = (Vec::new(), 0);
        let (mut has_transforms, mut transformed) = (false, 0);
        for (i, leaf) in structure.leaves.iter().enumerate() {
            if !mask.trains[i] {
                continue;
            }
            let range = len..len + leaf.width()?;
            len = range.end;
            slots.push(Slot { leaf: i, range });
            if leaf.transform.is_some() {
                has_transforms = true;
                transformed += leaf.elements();
            }
        }
        let trained_fingerprint = trained_fingerprint(model, flags.as_deref());
        Ok(Self {
            structure,
            flags,
            slots,
            len,
            trained_fingerprint,
            has_transforms,
            transformed,
        })
    }

    /// The length of the flat vector.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing trains.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The trained leaves, each with its range in the flat vector.
    pub fn iter(&self) -> impl Iterator<Item = (&Leaf, Range<usize>)> {
        self.slots
            .iter()
            .map(|slot| (&self.structure.leaves[slot.leaf], slot.range.clone()))
    }

    /// A name for each number of the flat vector: that of its element, `noise` or
    /// `weight[0, 2]`. The coordinates of a transform that mixes elements belong to none of
    /// them, and are numbered: `mix(1)`.
    ///
    /// ```
    /// use ndarray::{Array2, array};
    /// use paramtree::transform::Simplex;
    /// use paramtree::{Layout, Module};
    ///
    /// #[derive(Module)]
    /// struct Model {
    ///     weight: Array2<f64>,
    ///     #[param(transform = Simplex)]
    ///     mix: [f64; 3],
    /// }
    ///
    /// let layout = Layout::of(&Model { weight: array![[1.0, 2.0]], mix: [0.2, 0.3, 0.5] })?;
    /// assert_eq!(layout.names(), ["weight[0, 0]", "weight[0, 1]", "mix(0)", "mix(1)"]);
    /// # Ok::<(), paramtree::Error>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.len);
        for (leaf, range) in self.iter() {
            names.extend((0..range.len()).map(|i| {
                if leaf.elementwise {
                    element(&leaf.path, &leaf.shape, i)
                } else {
                    format!("{}({i})", leaf.path)
                }
            }));
        }
        names
    }

    /// The range of the leaf at a path, if it trains.
    #[must_use]
    pub fn range(&self, path: &str) -> Option<Range<usize>> {
        self.iter()
            .find(|(leaf, _)| leaf.path == path)
            .map(|(_, range)| range)
    }

    fn trained(&self) -> Trained<'_> {
        Trained::new(self.flags.as_deref())
    }

    /// The numbers of coordinates of the trained leaves.
    fn widths(&self) -> impl Iterator<Item = usize> {
        self.slots.iter().map(|slot| slot.range.len())
    }

    fn check_len(&self, got: usize) -> Result<(), Error> {
        let expected = self.len;
        if got == expected {
            Ok(())
        } else {
            Err(Error::Length { expected, got })
        }
    }

    #[inline]
    fn check_model<M: Module + ?Sized>(&self, model: &M) -> Result<(), Error> {
        self.structure.check(model, Shapes::Same)
    }
}

/// Tells, leaf by leaf, which train.
trait Select {
    /// Whether the next trainable leaf trains.
    fn next_trains(&mut self) -> bool;

    /// Whether the leaf that the walk is at trains. To be asked once per leaf.
    #[inline]
    fn next<T: Element>(&mut self, at: At<'_>) -> bool {
        T::DTYPE.is_inexact() && !at.is_frozen() && self.next_trains()
    }
}

/// Every trainable leaf trains: a type of its own, so that the hottest walks ask nothing.
struct All;

impl Select for All {
    #[inline]
    fn next_trains(&mut self) -> bool {
        true
    }
}

/// The leaves train that are flagged.
struct Trained<'m>(Option<slice::Iter<'m, bool>>);

impl<'m> Trained<'m> {
    #[inline]
    fn new(flags: Option<&'m [bool]>) -> Self {
        Self(flags.map(<[bool]>::iter))
    }
}

impl Select for Trained<'_> {
    #[inline]
    fn next_trains(&mut self) -> bool {
        match &mut self.0 {
            None => true,
            Some(flags) => flags.next().copied().unwrap_or(false),
        }
    }
}

/// What walks that disagree with each other are answered.
pub(crate) fn inconsistent() -> Error {
    Error::Structure {
        missing: None,
        surplus: None,
    }
}

/// Checks that a leaf with a transform still has as many coordinates as it had.
pub(crate) fn check_width<T>(
    leaf: LeafRef<'_, T>,
    at: At<'_>,
    transform: &dyn Transform<T>,
    expected: usize,
) -> Result<(), Error> {
    let got = leaf
        .with_shape(|shape| transform.unconstrained_len(shape))
        .map_err(|refusal| refused(leaf, at, transform, refusal))?;
    if got == expected {
        return Ok(());
    }
    let (path, expected, got) = (at.to_string(), vec![expected], vec![got]);
    Err(Error::Shape {
        path,
        expected,
        got,
    })
}

#[cold]
pub(crate) fn refused<T>(
    leaf: LeafRef<'_, T>,
    at: At<'_>,
    transform: &dyn Transform<T>,
    refusal: crate::refusal::Refusal,
) -> Error {
    let (path, shape, transform) = (at.to_string(), leaf.shape(), transform.name());
    Error::Refused {
        path,
        shape,
        transform,
        refusal: Box::new(refusal),
    }
}

/// The number in the precision of the flat vector.
fn cast<T: Element, F: Inexact>(value: T) -> F {
    let mut out = F::ZERO;
    T::store(slice::from_ref(&value), slice::from_mut(&mut out));
    out
}
