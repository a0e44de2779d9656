//! The walk that writes.

use super::collected::{Collected, Shaping, Side};
use super::kernel::run;
use super::optimizer::{Group, Optimizer};
use super::rule::{Rule, StepOf};
use super::slot::{InStepMut, Slot};
use super::trainable::Trainable;
use crate::at::At;
use crate::element::{ComputeVisitorMut, Inexact, PerInexact, Plain};
use crate::leaf::{LeafMut, Storage, assign, constrain};
use crate::module::Module;
use crate::transform::Transform;

/// Updates the model, and what the optimiser remembers. All has been checked.
pub(super) fn apply<R: Rule, M: Module + ?Sized>(
    optimizer: &mut Optimizer<R>,
    model: &mut M,
    collected: &mut Collected<'_>,
) {
    collected.rewind();
    let mut apply = Apply {
        slots: InStepMut::new(&mut optimizer.slots),
        groups: &optimizer.groups,
        known: Known {
            f32s: None,
            f64s: None,
        },
        collected,
    };
    model.visit_mut(At::root(), &mut Trainable(&mut apply));
}

struct Apply<'s, 'c, 'g, R: Rule> {
    slots: InStepMut<'s>,
    groups: &'s [Group<R>],
    known: Known<R>,
    collected: &'c mut Collected<'g>,
}

/// The scalars of the last leaf of either precision: most leaves have those of the one before.
struct Known<R: Rule> {
    f32s: Last<R, f32>,
    f64s: Last<R, f64>,
}

type Last<R, T> = Option<(Key, <R as Rule>::Scalars<T>)>;

/// What they depend on: the group, the count, and whether the leaf has a transform and decays.
type Key = (usize, u64, bool, bool);

impl<R: Rule> PerInexact for Known<R> {
    type Of<T: Plain> = Last<R, T>;

    #[inline]
    fn for_f32(&mut self) -> &mut Last<R, f32> {
        &mut self.f32s
    }

    #[inline]
    fn for_f64(&mut self) -> &mut Last<R, f64> {
        &mut self.f64s
    }
}

#[inline]
fn scalars<R: Rule, T: Inexact>(
    last: &mut Last<R, T>,
    groups: &[Group<R>],
    slot: &Slot<T>,
) -> R::Scalars<T> {
    let (group, count) = (slot.group, slot.count);
    let key = (group, count, slot.has_transform, slot.decays);
    match *last {
        Some((known, scalars)) if known == key => scalars,
        _ => {
            let scalars = renew(&groups[group], slot);
            *last = Some((key, scalars));
            scalars
        }
    }
}

#[inline(never)]
fn renew<R: Rule, T: Inexact>(group: &Group<R>, slot: &Slot<T>) -> R::Scalars<T> {
    let settings = group.rule.settings();
    let decays = slot.decays && (!slot.has_transform || settings.decay_transformed);
    group.rule.scalars(StepOf {
        lr: group.lr,
        weight_decay: if decays { settings.weight_decay } else { 0.0 },
        count: slot.count + 1,
    })
}

impl<'a, R: Rule> ComputeVisitorMut<'a> for Apply<'_, '_, '_, R> {
    #[inline]
    fn inexact<T: Inexact>(
        &mut self,
        leaf: LeafMut<'a, T>,
        _: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        let slot = T::pick(&mut self.slots).and_then(Iterator::next);
        let (Some(slot), Some(side)) = (slot, T::pick(self.collected)) else {
            return;
        };
        if slot.trains
            && let Some(last) = T::pick(&mut self.known)
        {
            let scalars = scalars::<R, T>(last, self.groups, slot);
            step::<R, T>(leaf, transform, &scalars, slot, side);
        }
    }
}

/// The step of one leaf.
#[inline]
fn step<R: Rule, T: Inexact>(
    leaf: LeafMut<'_, T>,
    transform: Option<&dyn Transform<T>>,
    scalars: &R::Scalars<T>,
    slot: &mut Slot<T>,
    side: &mut Side<'_, T>,
) {
    let (number, x) = (side.leaf, side.x);
    side.leaf += 1;
    if slot.has_transform {
        side.x += slot.width;
    }
    let Side {
        sources,
        gathered,
        xs,
        x_bars,
        shapes,
        natural,
        ..
    } = side;
    let Slot {
        width,
        count,
        moments: [first, second],
        extra,
        ..
    } = slot;
    let waits = extra.as_ref().is_some_and(|extra| extra.wait > 0);
    let gradient = match extra {
        Some(extra) if waits => Some(&extra.waiting[..]),
        _ => sources.get(number).and_then(|s| s.get(gathered, x_bars)),
    };
    let Some(gradient) = gradient else { return };
    *count += 1;
    let shaping = shapes.get(number).copied().unwrap_or(Shaping::NONE);
    let mut update = |params: &mut [T]| {
        run::<R, T>(scalars, params, gradient, [first, second], shaping);
    };
    match transform {
        None => write(leaf, natural, update),
        Some(transform) => {
            if let Some(x) = xs.get_mut(x..x + *width) {
                update(x);
                let kept = &mut extra.get_or_insert_default().x;
                write_coordinates(leaf, transform, x, natural, kept);
            }
        }
    }
    slot.stop_waiting();
}

/// Writes a leaf by its coordinates, and keeps them where the leaf does not.
fn write_coordinates<T: Inexact>(
    leaf: LeafMut<'_, T>,
    transform: &dyn Transform<T>,
    x: &mut [T],
    buffer: &mut Vec<T>,
    kept: &mut Vec<T>,
) {
    // What overflows stays a coordinate.
    let infinity = T::from_f64(f64::INFINITY);
    for x in &mut *x {
        *x = x.clamp_open(-infinity, infinity);
    }
    if !constrain(leaf, transform, x, buffer) {
        kept.clear();
        kept.reserve_exact(x.len());
        kept.extend_from_slice(x);
    }
}

/// Updates the numbers of a leaf where they are, or by way of a buffer.
#[inline]
fn write<T: Inexact>(leaf: LeafMut<'_, T>, buffer: &mut Vec<T>, mut update: impl FnMut(&mut [T])) {
    match leaf {
        LeafMut::Array(array) => match array.values_mut() {
            Some(values) => update(values),
            None => by_buffer(array, buffer, update),
        },
        other => {
            if let Some(values) = other.into_values() {
                update(values);
            }
        }
    }
}

fn by_buffer<T: Inexact>(
    array: &mut dyn Storage<T>,
    buffer: &mut Vec<T>,
    mut update: impl FnMut(&mut [T]),
) {
    buffer.clear();
    buffer.extend(array.array_view().iter().copied());
    update(buffer);
    assign(array, buffer);
}
