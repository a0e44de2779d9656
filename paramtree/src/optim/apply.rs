//! The walk that writes.

use super::collected::{Collected, Shaping, Side};
use super::kernel::run;
use super::optimizer::{Group, Optimizer};
use super::rule::{Rule, StepOf};
use super::slot::{InStepMut, Slot, State};
use crate::at::At;
use crate::element::{ComputeVisitorMut, Element, Inexact};
use crate::leaf::{LeafMut, LeafRef, Storage, assign, constrain};
use crate::module::{Module, VisitorMut};
use crate::transform::Transform;

/// Updates the model, and what the optimiser remembers. All has been checked.
pub(super) fn apply<R: Rule, M: Module + ?Sized>(
    optimizer: &mut Optimizer<R>,
    model: &mut M,
    collected: &mut Collected<'_>,
) {
    let steps = optimizer.steps;
    for group in &mut optimizer.groups {
        group.lr = group.rule.settings().lr.rate(steps);
    }
    collected.rewind();
    let mut apply = Apply {
        slots: InStepMut::new(&mut optimizer.slots),
        scalars: Known {
            groups: &optimizer.groups,
            last: None,
        },
        collected,
    };
    model.visit_mut(At::root(), &mut apply);
}

struct Apply<'s, 'c, 'g, R: Rule> {
    slots: InStepMut<'s>,
    scalars: Known<'s, R>,
    collected: &'c mut Collected<'g>,
}

/// The scalars of the last leaf: most leaves have those of the one before.
struct Known<'s, R: Rule> {
    groups: &'s [Group<R>],
    last: Option<(Key, R::Scalars)>,
}

/// What they depend on: the group, the count, and whether the leaf has a transform and decays.
type Key = (usize, u64, bool, bool);

impl<R: Rule> Known<'_, R> {
    #[inline]
    fn of<T>(&mut self, slot: &Slot<T>) -> R::Scalars {
        let key = (
            slot.group,
            slot.state.count,
            slot.has_transform,
            slot.decays,
        );
        match self.last {
            Some((last, scalars)) if last == key => scalars,
            _ => self.renew(key),
        }
    }

    fn renew(&mut self, key: Key) -> R::Scalars {
        let (group, count, has_transform, decays) = key;
        let Group { rule, lr, .. } = &self.groups[group];
        let settings = rule.settings();
        let decays = decays && (!has_transform || settings.decay_transformed);
        let scalars = rule.scalars(StepOf {
            lr: *lr,
            weight_decay: if decays { settings.weight_decay } else { 0.0 },
            count: count + 1,
        });
        self.last = Some((key, scalars));
        scalars
    }
}

impl<'a, R: Rule> VisitorMut<'a> for Apply<'_, '_, '_, R> {
    #[inline]
    fn leaf<T: Element>(
        &mut self,
        leaf: LeafMut<'a, T>,
        at: At<'_>,
        transform: Option<&dyn Transform<T>>,
    ) {
        if !at.is_frozen() {
            T::compute_mut(self, leaf, at, transform);
        }
    }
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
        if !slot.trains {
            return;
        }
        let number = side.leaf;
        side.leaf += 1;
        let x = side.x;
        if slot.has_transform {
            side.x += slot.width;
        }
        let scalars = self.scalars.of(slot);
        let Side {
            sources,
            gathered,
            xs,
            x_bars,
            shapes,
            natural,
            ..
        } = side;
        let State {
            count,
            moments: [first, second],
            x: last_x,
            waiting,
            wait,
        } = &mut slot.state;
        let gradient = if *wait > 0 {
            Some(&waiting[..])
        } else {
            sources.get(number).and_then(|s| s.get(gathered, x_bars))
        };
        let Some(gradient) = gradient else { return };
        (*count, *wait) = (*count + 1, 0);
        let shaping = shapes.get(number).copied().unwrap_or(Shaping::NONE);
        let mut update = |params: &mut [T]| {
            run::<R, T>(&scalars, params, gradient, [first, second], shaping);
        };
        let Some(transform) = transform else {
            return write(leaf, natural, update);
        };
        let Some(x) = xs.get_mut(x..x + slot.width) else {
            return;
        };
        update(x);
        // What overflows stays a coordinate.
        let infinity = T::from_f64(f64::INFINITY);
        for x in &mut *x {
            *x = x.clamp_open(-infinity, infinity);
        }
        if !constrain(leaf, transform, x, natural) {
            last_x.clear();
            last_x.extend_from_slice(x);
        }
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
    buffer.extend(LeafRef::Array(&*array).array_view().iter().copied());
    update(buffer);
    assign(array, buffer);
}
