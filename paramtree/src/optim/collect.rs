//! Taking in the gradient of a step.

use std::ops::Range;
use std::slice;

use super::collected::{Collected, Source};
use super::finite::all_finite;
use super::optimizer::Optimizer;
use super::slot::{AnySlot, Extra, InStep, Slot};
use super::trainable::Trainable;
use crate::at::At;
use crate::element::{ComputeVisitor, Inexact};
use crate::error::Error;
use crate::fingerprint::{Fingerprint, shape_print};
use crate::leaf::LeafRef;
use crate::module::{Module, Visitor};
use crate::structure::leaves;
use crate::transform::Transform;

/// The leaves of a value of the model's type.
pub(super) fn of_model<'g, R, M: Module + ?Sized>(
    optimizer: &Optimizer<R>,
    gradient: &'g M,
    choices: u64,
    collected: &mut Collected<'g>,
) -> Result<(), Error> {
    let mut collect = Collect {
        slots: InStep::new(&optimizer.slots),
        collected,
        looks: optimizer.options.looks(),
        allow_missing: optimizer.options.allow_missing,
        same: true,
        choices: Fingerprint::default(),
    };
    gradient.visit(At::root(), &mut Trainable(&mut collect));
    let same = collect.same;
    if same && collect.choices.get() == choices {
        return Ok(());
    }
    // Choices that bring no leaf may differ.
    compare(optimizer, gradient)?;
    if same {
        Ok(())
    } else {
        Err(crate::layout::inconsistent())
    }
}

#[cold]
fn compare<R, M: Module + ?Sized>(optimizer: &Optimizer<R>, gradient: &M) -> Result<(), Error> {
    let Optimizer { slots, options, .. } = optimizer;
    let trained = slots.iter().map(|slot| slot.head());
    let trained = trained.filter(|head| head.trains).map(|head| head.leaf);
    optimizer
        .structure
        .compare_gradient(&leaves(gradient), trained, options.allow_missing)
}

struct Collect<'s, 'c, 'g> {
    slots: InStep<'s>,
    collected: &'c mut Collected<'g>,
    /// Whether to look for numbers that are not finite.
    looks: bool,
    allow_missing: bool,
    same: bool,
    choices: Fingerprint,
}

impl<'g> ComputeVisitor<'g> for Collect<'_, '_, 'g> {
    #[inline]
    fn inexact<T: Inexact>(
        &mut self,
        leaf: LeafRef<'g, T>,
        _: At<'_>,
        _: Option<&dyn Transform<T>>,
    ) {
        let slot = T::pick(&mut self.slots).and_then(Iterator::next);
        let (Some(slot), Some(side)) = (slot, T::pick(self.collected)) else {
            self.same = false;
            return;
        };
        if !slot.trains {
            return;
        }
        if shape_print(leaf) != slot.shape_print {
            self.same &= self.allow_missing && leaf.is_empty();
            side.sources.push(Source::Missing);
            return;
        }
        // Of one with a transform, what is pulled back will be looked at.
        let looks = self.looks && !slot.has_transform;
        let finite = if let Some(values) = leaf.values() {
            side.sources.push(Source::Given(values));
            !looks || all_finite(values)
        } else {
            let start = side.gathered.len();
            side.gathered.extend(leaf.array_view().iter().copied());
            let range = start..side.gathered.len();
            side.sources.push(Source::Gathered(range));
            !looks || all_finite(&side.gathered[start..])
        };
        self.collected.not_finite |= !finite;
    }

    #[inline]
    fn choice(&mut self, value: u64) {
        Visitor::choice(&mut self.choices, value);
    }
}

/// Parts of a flat vector in the leaves' precision, where the vector has another.
#[derive(Clone, Debug, Default)]
pub(super) struct Cast {
    f32s: Vec<f32>,
    f64s: Vec<f64>,
}

impl Cast {
    /// Checks the length, and casts what must be.
    pub(super) fn fill<R, F: Inexact>(
        &mut self,
        optimizer: &Optimizer<R>,
        flat: &[F],
    ) -> Result<(), Error> {
        let expected = ranges(optimizer).last().map_or(0, |(_, range)| range.end);
        let got = flat.len();
        if got != expected {
            return Err(Error::Length { expected, got });
        }
        self.f32s.clear();
        self.f64s.clear();
        for (slot, range) in ranges(optimizer) {
            match slot {
                AnySlot::F32(_) => cast(&flat[range], &mut self.f32s),
                AnySlot::F64(_) => cast(&flat[range], &mut self.f64s),
            }
        }
        Ok(())
    }
}

fn cast<T: Inexact, F: Inexact>(flat: &[F], to: &mut Vec<T>) {
    if T::same_slice(flat).is_none() {
        let start = to.len();
        to.resize(start + flat.len(), T::ZERO);
        T::load(&mut to[start..], flat);
    }
}

/// The trained leaves in the order of the model, each with its range in a flat vector.
fn ranges<R>(optimizer: &Optimizer<R>) -> impl Iterator<Item = (AnySlot<'_>, Range<usize>)> {
    let trained = optimizer.slots.iter();
    let trained = trained.filter(|slot| slot.head().trains);
    trained.scan(0, |end, slot| {
        let start = *end;
        *end += slot.head().width;
        Some((slot, start..*end))
    })
}

/// The parts of a flat vector, whose length has been checked.
pub(super) fn of_flat<'g, R, F: Inexact>(
    optimizer: &Optimizer<R>,
    flat: &'g [F],
    cast: &'g Cast,
    collected: &mut Collected<'g>,
) {
    let (mut f32s, mut f64s) = (&cast.f32s[..], &cast.f64s[..]);
    let looks = optimizer.options.looks();
    for (slot, range) in ranges(optimizer) {
        match slot {
            AnySlot::F32(_) => push(&flat[range], &mut f32s, looks, collected),
            AnySlot::F64(_) => push(&flat[range], &mut f64s, looks, collected),
        }
    }
}

fn push<'g, T: Inexact, F: Inexact>(
    flat: &'g [F],
    cast: &mut &'g [T],
    looks: bool,
    collected: &mut Collected<'g>,
) {
    let part = T::same_slice(flat).or_else(|| cast.split_off(..flat.len()));
    collected.not_finite |= looks && !part.is_none_or(all_finite);
    if let Some(side) = T::pick(collected) {
        side.sources
            .push(part.map_or(Source::Missing, Source::Given));
    }
}

/// Adds a gradient to those that wait. Whether it was the last of its mean.
pub(super) fn accumulate<R>(optimizer: &mut Optimizer<R>, collected: &mut Collected<'_>) -> bool {
    let Optimizer { slots, options, .. } = optimizer;
    add(&mut slots.f32s, collected);
    add(&mut slots.f64s, collected);
    optimizer.waiting += 1;
    let last = optimizer.waiting >= options.accumulate;
    if last {
        optimizer.waiting = 0;
    }
    last
}

fn add<T: Inexact>(slots: &mut [Slot<T>], collected: &mut Collected<'_>) {
    let Some(side) = T::pick(collected) else {
        return;
    };
    for (leaf, slot) in trained_mut(slots).enumerate() {
        let Some(gradient) = side.given(leaf) else {
            continue;
        };
        let Extra { waiting, wait, .. } = &mut **slot.extra.get_or_insert_default();
        if *wait == 0 {
            waiting.clear();
            waiting.reserve_exact(gradient.len());
            waiting.extend_from_slice(gradient);
        } else {
            let n = T::from_f64(f64::from(*wait) + 1.0);
            for (mean, &g) in waiting.iter_mut().zip(gradient) {
                *mean = *mean + (g - *mean) / n;
            }
        }
        *wait += 1;
    }
}

fn trained_mut<T>(slots: &mut [Slot<T>]) -> impl Iterator<Item = &mut Slot<T>> {
    let slots: slice::IterMut<'_, _> = slots.iter_mut();
    slots.filter(|slot| slot.trains)
}
