//! What an optimiser remembers, and how to see it.

use super::optimizer::Optimizer;
use super::rule::Rule;
use super::slot::{AnySlot, Change, Extra, Head, Slot};
use crate::at::At;
use crate::element::{Dtype, Inexact};
use crate::error::Error;
use crate::hash::hash;
use crate::leaf::{LeafMut, LeafRef};
use crate::module::{Module, Visitor, VisitorMut};
use crate::pattern::{Patterns, select};

impl<R: Rule> Optimizer<R> {
    /// The slot of the leaf at a path.
    fn slot(&self, path: &str) -> Result<AnySlot<'_>, Error> {
        let leaf = self.find(path)?;
        let slot = self.slots.iter().find(|slot| slot.head().leaf == leaf);
        slot.ok_or_else(|| crate::mask::why_not(&self.structure.leaves[leaf]))
    }

    /// The number of steps that the leaf at a path has taken.
    ///
    /// # Errors
    ///
    /// There is no such leaf, or it can never train.
    pub fn count(&self, path: &str) -> Result<u64, Error> {
        self.slot(path).map(|slot| slot.head().count)
    }

    /// The name of the group that the leaf at a path is in.
    ///
    /// # Errors
    ///
    /// As [`count`](Self::count).
    pub fn group_of(&self, path: &str) -> Result<&str, Error> {
        let group = self.slot(path)?.head().group;
        Ok(&self.groups[group].name)
    }

    /// The bytes that moments, kept coordinates and waiting gradients take up.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let f32s = self.slots.f32s.iter().map(Slot::bytes).sum::<usize>();
        f32s + self.slots.f64s.iter().map(Slot::bytes).sum::<usize>()
    }

    /// Forgets the steps of the leaves that the patterns select: they start anew.
    ///
    /// # Errors
    ///
    /// A pattern cannot be read, matches nothing, or reaches into a leaf.
    pub fn forget(&mut self, patterns: impl Patterns) -> Result<&mut Self, Error> {
        let mut selected = Vec::new();
        patterns.try_each(&mut |pattern| {
            selected.extend(select(pattern, &self.structure.leaves)?);
            Ok(())
        })?;
        let groups = self.groups.iter();
        let moments: Vec<usize> = groups.map(|group| group.rule.moments().len()).collect();
        self.slots.each(Forget {
            selected: &selected,
            moments: &moments,
        });
        Ok(self)
    }
}

struct Forget<'o> {
    selected: &'o [usize],
    moments: &'o [usize],
}

impl Change for Forget<'_> {
    fn change<T: Inexact>(&mut self, slot: &mut Slot<T>) {
        if self.selected.contains(&slot.leaf) {
            slot.forget(self.moments[slot.group]);
        }
    }
}

/// The names of what is kept of each leaf beside its moments.
const COUNT: &str = "count";
const COORDINATES: &str = "coordinates";
const WAIT: &str = "wait";
const WAITING: &str = "waiting";

/// The state: the number of steps, and what is kept of each leaf at the leaf's path, as
/// `leaves.encoder.weight.mu`. It is declared frozen, as no optimiser of optimisers is meant.
impl<R: Rule> Module for Optimizer<R> {
    fn visit<'a>(&'a self, at: At<'_>, visitor: &mut impl Visitor<'a>) {
        let at = at.frozen();
        visitor.leaf(LeafRef::Scalar(&self.steps), at.field("steps"), None);
        if self.options.accumulate > 1 {
            visitor.leaf(LeafRef::Scalar(&self.waiting), at.field(WAITING), None);
        }
        let leaves = at.field("leaves");
        for slot in self.slots.iter() {
            let Head { leaf, group, .. } = slot.head();
            let (leaf, names) = (&self.structure.leaves[leaf], self.names(group));
            visitor.choice(hash(&leaf.path));
            let at = leaves.path(&leaf.path, leaf.tag());
            match slot {
                AnySlot::F32(slot) => show(slot, names, at, visitor),
                AnySlot::F64(slot) => show(slot, names, at, visitor),
            }
        }
    }

    fn visit_mut<'a>(&'a mut self, at: At<'_>, visitor: &mut impl VisitorMut<'a>) {
        let names: Vec<_> = (0..self.groups.len()).map(|i| self.names(i)).collect();
        let at = at.frozen();
        visitor.leaf(LeafMut::Scalar(&mut self.steps), at.field("steps"), None);
        if self.options.accumulate > 1 {
            let waiting = LeafMut::Scalar(&mut self.waiting);
            visitor.leaf(waiting, at.field(WAITING), None);
        }
        let at = at.field("leaves");
        let (mut f32s, mut f64s) = (self.slots.f32s.iter_mut(), self.slots.f64s.iter_mut());
        let leaves = self.structure.leaves.iter();
        for leaf in leaves.filter(|leaf| leaf.is_trainable()) {
            visitor.choice(hash(&leaf.path));
            let at = at.path(&leaf.path, leaf.tag());
            if leaf.dtype == Dtype::F32 {
                if let Some(slot) = f32s.next() {
                    show_mut(slot, names[slot.group], at, visitor);
                }
            } else if let Some(slot) = f64s.next() {
                show_mut(slot, names[slot.group], at, visitor);
            }
        }
    }
}

/// The moments of a leaf, and whether its gradients may wait.
type Names = (&'static [&'static str], bool);

impl<R: Rule> Optimizer<R> {
    fn names(&self, group: usize) -> Names {
        let moments = self.groups[group].rule.moments();
        (moments, self.options.accumulate > 1)
    }
}

fn show<'a, T: Inexact>(
    slot: &'a Slot<T>,
    (names, waits): Names,
    at: At<'_>,
    visitor: &mut impl Visitor<'a>,
) {
    visitor.leaf(LeafRef::Scalar(&slot.count), at.field(COUNT), None);
    for (name, moment) in names.iter().zip(&slot.moments) {
        visitor.leaf(LeafRef::Vector(moment), at.field(name), None);
    }
    let Some(Extra { x, waiting, wait }) = slot.extra.as_deref() else {
        return;
    };
    if slot.has_transform {
        visitor.leaf(LeafRef::Vector(x), at.field(COORDINATES), None);
    }
    if waits {
        visitor.leaf(LeafRef::Scalar(wait), at.field(WAIT), None);
        visitor.leaf(LeafRef::Vector(waiting), at.field(WAITING), None);
    }
}

fn show_mut<'a, T: Inexact>(
    slot: &'a mut Slot<T>,
    (names, waits): Names,
    at: At<'_>,
    visitor: &mut impl VisitorMut<'a>,
) {
    visitor.leaf(LeafMut::Scalar(&mut slot.count), at.field(COUNT), None);
    for (name, moment) in names.iter().zip(&mut slot.moments) {
        visitor.leaf(LeafMut::Vec(moment), at.field(name), None);
    }
    let Some(Extra { x, waiting, wait }) = slot.extra.as_deref_mut() else {
        return;
    };
    if slot.has_transform {
        visitor.leaf(LeafMut::Vec(x), at.field(COORDINATES), None);
    }
    if waits {
        visitor.leaf(LeafMut::Scalar(wait), at.field(WAIT), None);
        visitor.leaf(LeafMut::Vec(waiting), at.field(WAITING), None);
    }
}
