//! The two halves, and what they know of themselves.

use std::sync::Arc;

use crate::at::At;
use crate::element::{Element, PerInexact, Plain};
use crate::error::Error;
use crate::hash::hash;
use crate::leaf::Shelf;
use crate::module::{Module, Visitor, VisitorMut};
use crate::partition::{Rejected, check_part, walk};
use crate::structure::{Leaf, Structure};

/// Leaves that were taken out of a model.
///
/// It is a module itself, with the leaves at the paths that they had, in natural space
/// and without their transforms.
#[derive(Clone, Debug)]
pub struct Params {
    pub(super) structure: Arc<Structure>,
    /// For each leaf of the model, whether it is here.
    pub(super) holds: Vec<bool>,
    pub(super) shelves: Shelves,
}

/// The model that leaves were taken out of. It cannot be used as a model until they are
/// back.
#[derive(Clone, Debug)]
pub struct Rest<M> {
    pub(super) model: M,
    pub(super) structure: Arc<Structure>,
    /// For each leaf, whether it was taken out.
    pub(super) missing: Vec<bool>,
}

/// The leaves of either precision.
#[derive(Clone, Debug, Default)]
pub(super) struct Shelves {
    pub(super) f32s: Shelf<f32>,
    pub(super) f64s: Shelf<f64>,
}

impl PerInexact for Shelves {
    type Of<T: Plain> = Shelf<T>;

    #[inline]
    fn for_f32(&mut self) -> &mut Shelf<f32> {
        &mut self.f32s
    }

    #[inline]
    fn for_f64(&mut self) -> &mut Shelf<f64> {
        &mut self.f64s
    }
}

/// The leaves of a structure for which a flag is set.
fn flagged<'s>(structure: &'s Structure, flags: &'s [bool]) -> impl Iterator<Item = &'s Leaf> {
    let leaves = structure.leaves.iter();
    leaves
        .zip(flags)
        .filter(|(_, flag)| **flag)
        .map(|(leaf, _)| leaf)
}

impl Params {
    /// What is here, in the order of the model.
    pub fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        flagged(&self.structure, &self.holds)
    }

    /// The number of leaves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shelves.f32s.kinds.len() + self.shelves.f64s.kinds.len()
    }

    /// Whether there is no leaf.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Module for Params {
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        let Shelves { f32s, f64s } = &self.shelves;
        let (mut f32s, mut f64s) = (f32s.iter(), f64s.iter());
        for leaf in self.leaves() {
            visitor.choice(hash(&leaf.path));
            let at = at.path(&leaf.path, leaf.tag());
            if leaf.dtype != f32::DTYPE {
                if let Some(leaf) = f64s.next() {
                    visitor.leaf(leaf, at, None);
                }
            } else if let Some(leaf) = f32s.next() {
                visitor.leaf(leaf, at, None);
            }
        }
    }

    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        let Shelves { f32s, f64s } = &mut self.shelves;
        let (mut f32s, mut f64s) = (f32s.iter_mut(), f64s.iter_mut());
        for leaf in flagged(&self.structure, &self.holds) {
            visitor.choice(hash(&leaf.path));
            let at = at.path(&leaf.path, leaf.tag());
            if leaf.dtype != f32::DTYPE {
                if let Some(leaf) = f64s.next() {
                    visitor.leaf(leaf, at, None);
                }
            } else if let Some(leaf) = f32s.next() {
                visitor.leaf(leaf, at, None);
            }
        }
    }
}

impl<M: Module> Rest<M> {
    /// The leaves that were taken out, in the order of the model.
    pub fn missing(&self) -> impl Iterator<Item = &Leaf> {
        flagged(&self.structure, &self.missing)
    }

    /// Puts the leaves back, all of them: from one part or from several. They may come from
    /// another model of the same structure.
    ///
    /// # Errors
    ///
    /// A leaf is missing, or comes twice, or is not missing here; or a part is of a model
    /// of another structure. Everything comes back in the error.
    #[allow(clippy::result_large_err)] // the error gives everything back
    pub fn combine(
        self,
        parts: impl IntoIterator<Item = Params>,
    ) -> Result<M, Rejected<(Self, Vec<Params>)>> {
        let parts: Vec<Params> = parts.into_iter().collect();
        match self.owners(&parts) {
            Ok(owners) => Ok(walk::put(self.model, owners, parts)),
            Err(error) => Err(Rejected {
                error,
                value: (self, parts),
            }),
        }
    }

    /// For each leaf, which part brings it.
    fn owners(&self, parts: &[Params]) -> Result<walk::Group, Error> {
        if let [part] = parts
            && Arc::ptr_eq(&self.structure, &part.structure)
            && part.holds == self.missing
        {
            return Ok(walk::Group::One(self.missing.clone()));
        }
        let mut owners = vec![None; self.missing.len()];
        for (number, part) in parts.iter().enumerate() {
            check_part(&self.structure, &part.structure)?;
            for (i, owner) in owners
                .iter_mut()
                .enumerate()
                .filter(|(i, _)| part.holds[*i])
            {
                if owner.is_some() || !self.missing[i] {
                    return Err(Error::DoubledLeaf { path: self.path(i) });
                }
                *owner = Some(number);
            }
        }
        match (0..owners.len()).find(|&i| self.missing[i] && owners[i].is_none()) {
            Some(i) => Err(Error::MissingLeaf { path: self.path(i) }),
            None => Ok(walk::Group::Many(owners)),
        }
    }

    /// The path of a leaf.
    fn path(&self, leaf: usize) -> String {
        let leaf = self.structure.leaves.get(leaf);
        leaf.map_or_else(String::new, |leaf| leaf.path.clone())
    }
}
