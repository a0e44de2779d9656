//! The two walks that move buffers.

use std::mem;
use std::sync::Arc;

use crate::at::At;
use crate::element::{Element, PerInexact, Plain};
use crate::leaf::LeafMut;
use crate::leaf::Load;
use crate::module::{Module, VisitorMut};
use crate::partition::params::{Params, Rest, Shelves};
use crate::structure::Structure;
use crate::transform::Transform;

/// For each leaf, the part that it belongs to.
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
        parts: vec![Shelves::default(); n],
    };
    model.visit_mut(At::root(), &mut take);
    let Take { group, parts, .. } = take;
    let parts = (0..).zip(parts).map(|(part, shelves)| Params {
        structure: structure.clone(),
        holds: group.flags(part),
        shelves,
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
    parts: Vec<Shelves>,
}

impl<'a> VisitorMut<'a> for Take {
    #[allow(clippy::inline_always)] // small once the kind of leaf is known
    #[inline(always)]
    fn leaf<T: Element>(&mut self, leaf: LeafMut<'a, T>, _: At<'_>, _: Option<&dyn Transform<T>>) {
        let part = self.group.of(self.leaf);
        self.leaf += 1;
        let part = part.and_then(|part| self.parts.get_mut(part));
        let Some(to) = part.and_then(T::pick) else {
            return;
        };
        match leaf {
            LeafMut::Scalar(value) => to.push_scalar(*value),
            LeafMut::Vector(values) => to.push_vector(values.to_vec()),
            LeafMut::Vec(values) => to.push_vector(mem::take(values)),
            LeafMut::Array(array) => array.shelve(to),
            LeafMut::Shared(_) => {}
        }
    }
}

/// Moves the leaves of the parts back into a model. All has been checked.
pub(super) fn put<M: Module>(mut model: M, group: Group, parts: Vec<Params>) -> M {
    let parts = parts.into_iter().map(|part| Supply {
        f32s: part.shelves.f32s.unload(),
        f64s: part.shelves.f64s.unload(),
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
    f32s: Load<f32>,
    f64s: Load<f64>,
}

impl PerInexact for Supply {
    type Of<T: Plain> = Load<T>;

    #[inline]
    fn for_f32(&mut self) -> &mut Load<f32> {
        &mut self.f32s
    }

    #[inline]
    fn for_f64(&mut self) -> &mut Load<f64> {
        &mut self.f64s
    }
}

impl<'a> VisitorMut<'a> for Put {
    #[allow(clippy::inline_always)] // small once the kind of leaf is known
    #[inline(always)]
    fn leaf<T: Element>(&mut self, leaf: LeafMut<'a, T>, _: At<'_>, _: Option<&dyn Transform<T>>) {
        let part = self.group.of(self.leaf);
        self.leaf += 1;
        let part = part.and_then(|part| self.parts.get_mut(part));
        let Some(load) = part.and_then(T::pick) else {
            return;
        };
        match leaf {
            LeafMut::Scalar(slot) => {
                if let Some(value) = load.scalars.next() {
                    *slot = value;
                }
            }
            LeafMut::Vec(slot) => {
                if let Some(values) = load.vectors.next() {
                    *slot = values;
                }
            }
            LeafMut::Vector(slots) => {
                if let Some(values) = load.vectors.next().filter(|new| new.len() == slots.len()) {
                    slots.copy_from_slice(&values);
                }
            }
            LeafMut::Array(array) => array.unshelve(load),
            LeafMut::Shared(_) => {}
        }
    }
}
