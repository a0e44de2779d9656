//! What an optimiser keeps of each leaf.

use std::{slice, vec};

use super::trainable::Trainable;
use crate::at::At;
use crate::element::{ComputeVisitor, Inexact, PerInexact, Plain};
use crate::error::Error;
use crate::fingerprint::shape_print;
use crate::leaf::LeafRef;
use crate::module::Module;
use crate::structure::Structure;
use crate::transform::Transform;

/// A leaf that can train, whether it does or not.
#[derive(Clone, Debug)]
pub(super) struct Slot<T> {
    /// Its place among all leaves.
    pub(super) leaf: usize,
    /// The shape that its gradient must have.
    pub(super) shape_print: u64,
    /// The number of its coordinates.
    pub(super) width: usize,
    pub(super) has_transform: bool,
    /// Whether a decay mask lets it decay.
    pub(super) decays: bool,
    pub(super) trains: bool,
    /// The number of its group.
    pub(super) group: usize,
    /// The steps that it has taken.
    pub(super) count: u64,
    /// What the rule remembers. Empty until it first trains.
    pub(super) moments: [Vec<T>; 2],
    /// What few leaves have.
    pub(super) extra: Option<Box<Extra<T>>>,
}

/// What a leaf with a transform, or one whose gradients wait, leaves behind besides.
#[derive(Clone, Debug)]
pub(super) struct Extra<T> {
    /// Where there is a transform: the coordinates that were last written.
    pub(super) x: Vec<T>,
    /// The mean of the gradients that wait for their step.
    pub(super) waiting: Vec<T>,
    /// How many those are.
    pub(super) wait: u32,
}

impl<T> Default for Extra<T> {
    fn default() -> Self {
        Self {
            x: Vec::new(),
            waiting: Vec::new(),
            wait: 0,
        }
    }
}

impl<T: Inexact> Slot<T> {
    /// Makes room for what a rule remembers, if there is none yet.
    pub(super) fn furnish(&mut self, moments: usize) {
        for moment in self.moments.iter_mut().take(moments) {
            moment.reserve_exact(self.width - moment.len());
            moment.resize(self.width, T::ZERO);
        }
    }

    /// Forgets every step.
    pub(super) fn forget(&mut self, moments: usize) {
        self.count = 0;
        self.moments = [Vec::new(), Vec::new()];
        self.extra = self.extra.take().map(|_| Box::default());
        if self.trains {
            self.furnish(moments);
        }
    }

    /// Forgets the gradients that wait.
    pub(super) fn stop_waiting(&mut self) {
        if let Some(extra) = &mut self.extra {
            extra.wait = 0;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let moments = self.moments.iter().map(Vec::capacity).sum::<usize>();
        let extra = self.extra.as_ref();
        let extra = extra.map_or(0, |extra| extra.x.capacity() + extra.waiting.capacity());
        (moments + extra) * size_of::<T>()
    }
}

/// Numbers of a slot that do not depend on its precision.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub(super) leaf: usize,
    pub(super) width: usize,
    pub(super) trains: bool,
    pub(super) group: usize,
    pub(super) count: u64,
}

impl<T> Slot<T> {
    pub(super) fn head(&self) -> Head {
        Head {
            leaf: self.leaf,
            width: self.width,
            trains: self.trains,
            group: self.group,
            count: self.count,
        }
    }

    /// The mean of the gradients that wait, if any do.
    #[inline]
    pub(super) fn waiting(&self) -> Option<&[T]> {
        let extra = self.extra.as_ref().filter(|extra| extra.wait > 0)?;
        Some(&extra.waiting)
    }
}

/// The leaves of either precision, in the order of the walk.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    pub(super) f32s: Vec<Slot<f32>>,
    pub(super) f64s: Vec<Slot<f64>>,
}

impl PerInexact for Slots {
    type Of<T: Plain> = Vec<Slot<T>>;

    fn for_f32(&mut self) -> &mut Vec<Slot<f32>> {
        &mut self.f32s
    }

    fn for_f64(&mut self) -> &mut Vec<Slot<f64>> {
        &mut self.f64s
    }
}

/// A slot whatever its precision.
pub(super) enum AnySlot<'s> {
    F32(&'s Slot<f32>),
    F64(&'s Slot<f64>),
}

impl AnySlot<'_> {
    /// What is the same in either precision.
    pub(super) fn head(&self) -> Head {
        match self {
            Self::F32(slot) => slot.head(),
            Self::F64(slot) => slot.head(),
        }
    }
}

impl Slots {
    /// All of them, in the order of the model.
    pub(super) fn iter(&self) -> impl Iterator<Item = AnySlot<'_>> {
        let mut f32s = self.f32s.iter().peekable();
        let mut f64s = self.f64s.iter().peekable();
        std::iter::from_fn(move || match (f32s.peek(), f64s.peek()) {
            (Some(a), Some(b)) if a.leaf < b.leaf => f32s.next().map(AnySlot::F32),
            (Some(_), None) => f32s.next().map(AnySlot::F32),
            (_, _) => f64s.next().map(AnySlot::F64),
        })
    }

    pub(super) fn each(&mut self, mut change: impl Change) {
        self.f32s.iter_mut().for_each(|slot| change.change(slot));
        self.f64s.iter_mut().for_each(|slot| change.change(slot));
    }

    /// Lays out the leaves of a model that can train: none of them does yet.
    pub(super) fn of<M: Module + ?Sized>(model: &M, structure: &Structure) -> Result<Self, Error> {
        let trainable = structure.leaves.iter().enumerate();
        let trainable = trainable.filter(|(_, leaf)| leaf.is_trainable());
        let widths = trainable.map(|(i, leaf)| Ok((i, leaf.width()?)));
        let mut lay = Lay {
            slots: Self::default(),
            leaves: widths.collect::<Result<Vec<_>, Error>>()?.into_iter(),
        };
        model.visit(At::root(), &mut Trainable(&mut lay));
        Ok(lay.slots)
    }
}

/// Something to be done to the slots of either precision.
pub(super) trait Change {
    fn change<T: Inexact>(&mut self, slot: &mut Slot<T>);
}

struct Lay {
    slots: Slots,
    /// The places of the leaves, each with its number of coordinates.
    leaves: vec::IntoIter<(usize, usize)>,
}

impl<'a> ComputeVisitor<'a> for Lay {
    fn inexact<T: Inexact>(
        &mut self,
        leaf: LeafRef<'a, T>,
        _: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        let (Some(slots), Some((number, width))) = (T::pick(&mut self.slots), self.leaves.next())
        else {
            return;
        };
        slots.push(Slot {
            leaf: number,
            shape_print: shape_print(leaf),
            width,
            has_transform: transform.is_some(),
            group: 0,
            decays: false,
            trains: false,
            count: 0,
            moments: [Vec::new(), Vec::new()],
            extra: transform.is_some().then(Box::default),
        });
    }
}

/// The slots of either precision, to be taken off in step with a walk.
pub(super) struct InStep<'s> {
    f32s: slice::Iter<'s, Slot<f32>>,
    f64s: slice::Iter<'s, Slot<f64>>,
}

impl<'s> InStep<'s> {
    pub(super) fn new(slots: &'s Slots) -> Self {
        Self {
            f32s: slots.f32s.iter(),
            f64s: slots.f64s.iter(),
        }
    }
}

impl<'s> PerInexact for InStep<'s> {
    type Of<T: Plain> = slice::Iter<'s, Slot<T>>;

    #[inline]
    fn for_f32(&mut self) -> &mut slice::Iter<'s, Slot<f32>> {
        &mut self.f32s
    }

    #[inline]
    fn for_f64(&mut self) -> &mut slice::Iter<'s, Slot<f64>> {
        &mut self.f64s
    }
}

/// As [`InStep`], to be changed.
pub(super) struct InStepMut<'s> {
    f32s: slice::IterMut<'s, Slot<f32>>,
    f64s: slice::IterMut<'s, Slot<f64>>,
}

impl<'s> InStepMut<'s> {
    pub(super) fn new(slots: &'s mut Slots) -> Self {
        Self {
            f32s: slots.f32s.iter_mut(),
            f64s: slots.f64s.iter_mut(),
        }
    }
}

impl<'s> PerInexact for InStepMut<'s> {
    type Of<T: Plain> = slice::IterMut<'s, Slot<T>>;

    #[inline]
    fn for_f32(&mut self) -> &mut slice::IterMut<'s, Slot<f32>> {
        &mut self.f32s
    }

    #[inline]
    fn for_f64(&mut self) -> &mut slice::IterMut<'s, Slot<f64>> {
        &mut self.f64s
    }
}
