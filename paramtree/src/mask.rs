//! Masks: which leaves train, decided at run time.

use std::ops::{BitAnd, BitOr, Not};
use std::sync::Arc;

use crate::at::{At, Standing};
use crate::element::Element;
use crate::error::Error;
use crate::leaf::LeafRef;
use crate::module::{Module, Visitor};
use crate::pattern::{Patterns, nearest, select};
use crate::structure::{Leaf, Shapes, Structure};
use crate::transform::Transform;

/// Which leaves of a model train.
///
/// There is one polarity everywhere: `true` trains. What is declared frozen, in
/// shared storage, or not inexact never does, whatever a mask is told. A call that
/// fails leaves the mask as it was, and a mask is refused by a model of another
/// structure.
///
/// A pattern is a path of whole segments (see [`Leaf::path`]) and selects the leaf or
/// the subtree there; `*` stands for one segment, `**` for any number. A key with a
/// dot in it is quoted.
///
/// ```
/// use ndarray::Array2;
/// use paramtree::{Mask, Module};
///
/// #[derive(Module)]
/// struct Dense { weight: Array2<f64>, bias: f64 }
/// #[derive(Module)]
/// struct Net { encoder: Vec<Dense>, head: Dense }
///
/// let dense = || Dense { weight: Array2::zeros((2, 2)), bias: 0.0 };
/// let net = Net { encoder: vec![dense(), dense()], head: dense() };
///
/// let mut mask = Mask::of(&net);
/// mask.freeze("encoder")?.thaw("encoder.*.bias")?;
/// assert!(mask.trains("encoder.0.bias")?);
/// assert!(!mask.trains("encoder.0.weight")?);
///
/// // Found by address: the compiler checks the path.
/// mask.freeze_at(&net, |net| &net.head)?;
/// assert_eq!(mask.trained().count(), 2);
///
/// let error = mask.freeze("encodr").unwrap_err();
/// assert_eq!(error.to_string(), "`encodr` matches no leaf, the nearest path is `encoder`");
/// # Ok::<(), paramtree::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mask {
    pub(crate) structure: Arc<Structure>,
    pub(crate) trains: Vec<bool>,
}

impl Mask {
    /// Trains every leaf that is not declared frozen.
    #[must_use]
    pub fn of<M: Module + ?Sized>(model: &M) -> Self {
        let structure = Structure::of(model);
        let trains = structure.leaves.iter().map(Leaf::is_trainable).collect();
        Self { structure, trains }
    }

    /// Freezes what the patterns select.
    ///
    /// # Errors
    ///
    /// A pattern cannot be read, matches nothing, or reaches into a leaf.
    pub fn freeze(&mut self, patterns: impl Patterns) -> Result<&mut Self, Error> {
        let mut trains = self.trains.clone();
        patterns.try_each(&mut |pattern| {
            let selected = select(pattern, &self.structure.leaves)?;
            for i in selected {
                trains[i] = false;
            }
            Ok(())
        })?;
        self.trains = trains;
        Ok(self)
    }

    /// Thaws what the patterns select, but for what is declared frozen in it.
    ///
    /// # Errors
    ///
    /// As [`freeze`](Self::freeze), and if nothing that a pattern selects can train:
    /// it is declared frozen, shared, or not inexact.
    pub fn thaw(&mut self, patterns: impl Patterns) -> Result<&mut Self, Error> {
        self.trains = self.thawed(self.trains.clone(), &patterns)?;
        Ok(self)
    }

    /// Freezes everything but what the patterns select.
    ///
    /// # Errors
    ///
    /// As [`thaw`](Self::thaw).
    pub fn train_only(&mut self, patterns: impl Patterns) -> Result<&mut Self, Error> {
        self.trains = self.thawed(vec![false; self.trains.len()], &patterns)?;
        Ok(self)
    }

    fn thawed(&self, mut trains: Vec<bool>, patterns: &impl Patterns) -> Result<Vec<bool>, Error> {
        patterns.try_each(&mut |pattern| {
            self.thaw_leaves(&mut trains, &select(pattern, &self.structure.leaves)?)
        })?;
        Ok(trains)
    }

    fn thawed_part(
        &self,
        mut trains: Vec<bool>,
        selected: std::ops::Range<usize>,
    ) -> Result<Vec<bool>, Error> {
        self.thaw_leaves(&mut trains, &selected.collect::<Vec<_>>())?;
        Ok(trains)
    }

    fn thaw_leaves(&self, trains: &mut [bool], selected: &[usize]) -> Result<(), Error> {
        let leaves = &self.structure.leaves;
        if let Some(&first) = selected.first()
            && !selected.iter().any(|&i| leaves[i].is_trainable())
        {
            return Err(why_not(&leaves[first]));
        }
        for &i in selected {
            trains[i] |= leaves[i].is_trainable();
        }
        Ok(())
    }

    /// Freezes every leaf.
    pub fn freeze_all(&mut self) -> &mut Self {
        self.trains.fill(false);
        self
    }

    /// Thaws every leaf that is not declared frozen.
    pub fn thaw_all(&mut self) -> &mut Self {
        self.thaw_if(|_| true)
    }

    /// Freezes every leaf for which the predicate holds, if any.
    pub fn freeze_if(&mut self, mut predicate: impl FnMut(&Leaf) -> bool) -> &mut Self {
        for (leaf, trains) in self.structure.leaves.iter().zip(&mut self.trains) {
            *trains &= !predicate(leaf);
        }
        self
    }

    /// Thaws every leaf for which the predicate holds, if any, and which can train.
    pub fn thaw_if(&mut self, mut predicate: impl FnMut(&Leaf) -> bool) -> &mut Self {
        for (leaf, trains) in self.structure.leaves.iter().zip(&mut self.trains) {
            *trains |= leaf.is_trainable() && predicate(leaf);
        }
        self
    }

    /// Freezes the part of the model that the closure returns: `|m| &m.encoder.layers[1]`.
    ///
    /// # Errors
    ///
    /// The model has another structure, or the closure gives something that is no
    /// part of it or holds no leaf.
    pub fn freeze_at<M, P>(
        &mut self,
        model: &M,
        part: impl FnOnce(&M) -> &P,
    ) -> Result<&mut Self, Error>
    where
        M: Module + ?Sized,
        P: Module + ?Sized,
    {
        for i in self.part(model, part)? {
            self.trains[i] = false;
        }
        Ok(self)
    }

    /// Thaws the part of the model that the closure returns.
    ///
    /// # Errors
    ///
    /// As [`freeze_at`](Self::freeze_at), and if nothing in that part can train.
    pub fn thaw_at<M, P>(
        &mut self,
        model: &M,
        part: impl FnOnce(&M) -> &P,
    ) -> Result<&mut Self, Error>
    where
        M: Module + ?Sized,
        P: Module + ?Sized,
    {
        let selected = self.part(model, part)?;
        self.trains = self.thawed_part(self.trains.clone(), selected)?;
        Ok(self)
    }

    /// Freezes everything but the part of the model that the closure returns.
    ///
    /// # Errors
    ///
    /// As [`thaw_at`](Self::thaw_at).
    pub fn train_only_at<M, P>(
        &mut self,
        model: &M,
        part: impl FnOnce(&M) -> &P,
    ) -> Result<&mut Self, Error>
    where
        M: Module + ?Sized,
        P: Module + ?Sized,
    {
        let selected = self.part(model, part)?;
        self.trains = self.thawed_part(vec![false; self.trains.len()], selected)?;
        Ok(self)
    }

    /// The leaves of a part. The walk shows them in one run: it is found by address.
    fn part<M, P>(
        &self,
        model: &M,
        part: impl FnOnce(&M) -> &P,
    ) -> Result<std::ops::Range<usize>, Error>
    where
        M: Module + ?Sized,
        P: Module + ?Sized,
    {
        self.check(model)?;
        let (all, run) = (places(model), places(part(model)));
        if run.is_empty() {
            return Err(Error::NotAPart);
        }
        let mut found = (0..)
            .zip(all.windows(run.len()))
            .filter(|(_, window)| *window == run);
        match (found.next(), found.next()) {
            (Some((start, _)), None) => Ok(start..start + run.len()),
            _ => Err(Error::NotAPart),
        }
    }

    /// Whether the leaf at a path trains.
    ///
    /// # Errors
    ///
    /// There is no leaf at that path.
    pub fn trains(&self, path: &str) -> Result<bool, Error> {
        let leaves = &self.structure.leaves;
        let leaf = leaves.iter().position(|leaf| leaf.path == path);
        leaf.map(|i| self.trains[i]).ok_or_else(|| Error::NoMatch {
            pattern: path.to_owned(),
            nearest: nearest(path, leaves),
        })
    }

    /// Whether any leaf trains that a pattern selects: whether a backward pass need go there.
    ///
    /// # Errors
    ///
    /// As [`freeze`](Self::freeze).
    pub fn trains_any(&self, pattern: &str) -> Result<bool, Error> {
        let selected = select(pattern, &self.structure.leaves)?;
        Ok(selected.into_iter().any(|i| self.trains[i]))
    }

    /// The leaves, each with whether it trains.
    pub fn iter(&self) -> impl Iterator<Item = (&Leaf, bool)> {
        self.structure
            .leaves
            .iter()
            .zip(self.trains.iter().copied())
    }

    /// The leaves that train.
    pub fn trained(&self) -> impl Iterator<Item = &Leaf> {
        self.iter()
            .filter(|(_, trains)| *trains)
            .map(|(leaf, _)| leaf)
    }

    /// Checks that a model has the leaves that this mask is about. Shapes may differ.
    ///
    /// # Errors
    ///
    /// It has others: the first missing and the first surplus path are named.
    pub fn check<M: Module + ?Sized>(&self, model: &M) -> Result<(), Error> {
        self.structure.check(model, Shapes::Any)
    }

    fn zip(&self, other: &Self, both: impl Fn(bool, bool) -> bool) -> Result<Self, Error> {
        self.structure
            .compare(&other.structure.leaves, Shapes::Any)?;
        let trains = self
            .trains
            .iter()
            .zip(&other.trains)
            .map(|(a, b)| both(*a, *b))
            .collect();
        Ok(Self {
            structure: self.structure.clone(),
            trains,
        })
    }
}

/// Two masks of one structure train the same leaves.
impl PartialEq for Mask {
    fn eq(&self, other: &Self) -> bool {
        self.zip(other, |_, _| true).is_ok() && self.trains == other.trains
    }
}

/// What trains in both. An error if the masks are of different structures.
impl BitAnd for &Mask {
    type Output = Result<Mask, Error>;

    fn bitand(self, other: Self) -> Self::Output {
        self.zip(other, |a, b| a & b)
    }
}

/// What trains in either. An error if the masks are of different structures.
impl BitOr for &Mask {
    type Output = Result<Mask, Error>;

    fn bitor(self, other: Self) -> Self::Output {
        self.zip(other, |a, b| a | b)
    }
}

/// What could train and does not.
impl Not for &Mask {
    type Output = Mask;

    fn not(self) -> Mask {
        let trains = self
            .iter()
            .map(|(leaf, trains)| leaf.is_trainable() && !trains)
            .collect();
        Mask {
            structure: self.structure.clone(),
            trains,
        }
    }
}

pub(crate) fn why_not(leaf: &Leaf) -> Error {
    let path = leaf.path.clone();
    match leaf.standing {
        Standing::Shared => Error::SharedStorage { path },
        Standing::Declared => Error::DeclaredFrozen { path },
        Standing::Open => Error::NotInexact {
            path,
            dtype: leaf.dtype,
        },
    }
}

/// Where a leaf lies in memory.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Scalar(usize),
    Vector(usize, usize),
    Array(usize),
}

fn places<M: Module + ?Sized>(model: &M) -> Vec<Place> {
    struct Places(Vec<Place>);
    impl<'a> Visitor<'a> for Places {
        fn leaf<T: Element>(
            &mut self,
            leaf: LeafRef<'a, T>,
            _: At<'_>,
            _: Option<&dyn Transform<T>>,
        ) {
            self.0.push(match leaf {
                LeafRef::Scalar(value) => Place::Scalar(std::ptr::from_ref(value).addr()),
                LeafRef::Vector(values) => Place::Vector(values.as_ptr().addr(), values.len()),
                LeafRef::Array(array) => Place::Array(std::ptr::from_ref(array).addr()),
            });
        }
    }
    let mut places = Places(Vec::new());
    model.visit(At::root(), &mut places);
    places.0
}
