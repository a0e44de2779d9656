//! The two walks that move buffers.

use std::sync::Arc;
use std::vec;

use crate::at::At;
use crate::element::{Element, PerInexact};
use crate::leaf::LeafMut;
use crate::module::{Module, VisitorMut};
use crate::partition::params::{Params, Piece, Pieces, Rest};
use crate::structure::Structure;
use crate::transform::Transform;

/// For each trainable leaf, the part that it belongs to.
pub(super) enum Group {
    /// There is one part, and it holds the leaves that are flagged.
    One(Vec<bool>),
    /// There are several.
    Many(Vec<Option<usize>>),
}

impl Group {
    #[inline]
    fn of(&self, leaf: usize) -> Option<usize> {
        match self {
            Self::One(flags) => flags.get(leaf).copied().unwrap_or(false).then_some(0),
            Self::Many(owners) => owners.get(leaf).copied().flatten(),
        }
    }

    fn flags(&self, part: usize) -> Vec<bool> {
        match self {
            Self::One(flags) => flags.clone(),
            Self::Many(owners) => owners.iter().map(|owner| *owner == Some(part)).collect(),
        }
    }

    fn taken(&self) -> Vec<bool> {
        match self {
            Self::One(flags) => flags.clone(),
            Self::Many(owners) => owners.iter().map(Option::is_some).collect(),
        }
    }
}

/// Moves the leaves of `group` out of a model, into `n` parts.
pub(super) fn take<M: Module>(
    mut model: M,
    structure: &Arc<Structure>,
    group: Group,
    n: usize,
) -> (Vec<Params>, Rest<M>) {
    let mut take = Take {
        group,
        leaf: 0,
        parts: vec![Pieces::default(); n],
    };
    if let (Group::One(flags), [part]) = (&take.group, &mut take.parts[..]) {
        let leaves = structure.leaves.iter().filter(|leaf| leaf.is_trainable());
        let f64s = leaves
            .zip(flags)
            .filter(|(leaf, flag)| **flag && leaf.dtype == f64::DTYPE);
        part.f64s.reserve_exact(f64s.count());
    }
    model.visit_mut(At::root(), &mut take);
    let Take { group, parts, .. } = take;
    let parts = (0..).zip(parts).map(|(part, pieces)| Params {
        structure: structure.clone(),
        holds: group.flags(part),
        pieces,
    });
    (
        parts.collect(),
        Rest {
            model,
            missing: group.taken(),
            structure: structure.clone(),
        },
    )
}

struct Take {
    group: Group,
    leaf: usize,
    parts: Vec<Pieces>,
}

impl<'a> VisitorMut<'a> for Take {
    #[inline]
    fn leaf<T: Element>(&mut self, leaf: LeafMut<'a, T>, at: At<'_>, _: Option<&dyn Transform<T>>) {
        if !T::DTYPE.is_inexact() || at.is_frozen() {
            return;
        }
        let part = self.group.of(self.leaf);
        self.leaf += 1;
        let part = part.and_then(|part| self.parts.get_mut(part));
        let Some(pieces) = part.and_then(T::pick) else {
            return;
        };
        pieces.push(match leaf {
            LeafMut::Scalar(value) => Piece::Scalar(*value),
            LeafMut::Vector(values) => Piece::Vector(values.to_vec()),
            LeafMut::Vec(values) => Piece::Vector(std::mem::take(values)),
            LeafMut::Array(array) => Piece::Array(array.take_array()),
            LeafMut::Shared(_) => return,
        });
    }
}

/// Moves the leaves of the parts back into a model. All has been checked.
pub(super) fn put<M: Module>(mut model: M, group: Group, parts: Vec<Params>) -> M {
    let parts = parts.into_iter().map(|part| Supply {
        f32s: part.pieces.f32s.into_iter(),
        f64s: part.pieces.f64s.into_iter(),
    });
    let mut put = Put {
        group,
        leaf: 0,
        parts: parts.collect(),
    };
    model.visit_mut(At::root(), &mut put);
    model
}

struct Put {
    group: Group,
    leaf: usize,
    parts: Vec<Supply>,
}

struct Supply {
    f32s: vec::IntoIter<Piece<f32>>,
    f64s: vec::IntoIter<Piece<f64>>,
}

impl PerInexact for Supply {
    type Of<T> = vec::IntoIter<Piece<T>>;

    #[inline]
    fn for_f32(&mut self) -> &mut vec::IntoIter<Piece<f32>> {
        &mut self.f32s
    }

    #[inline]
    fn for_f64(&mut self) -> &mut vec::IntoIter<Piece<f64>> {
        &mut self.f64s
    }
}

impl<'a> VisitorMut<'a> for Put {
    #[inline]
    fn leaf<T: Element>(&mut self, leaf: LeafMut<'a, T>, at: At<'_>, _: Option<&dyn Transform<T>>) {
        if !T::DTYPE.is_inexact() || at.is_frozen() {
            return;
        }
        let part = self.group.of(self.leaf);
        self.leaf += 1;
        let part = part.and_then(|part| self.parts.get_mut(part));
        let Some(piece) = part.and_then(T::pick).and_then(Iterator::next) else {
            return;
        };
        match (leaf, piece) {
            (LeafMut::Scalar(slot), Piece::Scalar(value)) => *slot = value,
            (LeafMut::Vec(slot), Piece::Vector(values)) => *slot = values,
            (LeafMut::Vector(slots), Piece::Vector(values)) => slots.copy_from_slice(&values),
            (LeafMut::Array(slot), Piece::Array(array)) => {
                // The same structure: the rank is right.
                let _ = slot.put_array(array);
            }
            _ => {}
        }
    }
}
