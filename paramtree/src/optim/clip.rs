//! Whether gradients are finite, and how long they may be.

use super::collected::{Collected, Shaping, Side};
use super::optimizer::Optimizer;
use super::rule::{Clip, Rule};
use super::slot::{Slot, Slots};
use crate::element::{Inexact, PerInexact};
use crate::error::Error;

/// Checks every gradient of a trained leaf.
pub(super) fn check_finite<R>(
    optimizer: &Optimizer<R>,
    collected: &mut Collected<'_>,
) -> Result<(), Error> {
    let Slots { f32s, f64s } = &optimizer.slots;
    let bad = first_bad(f32s, collected).or_else(|| first_bad(f64s, collected));
    bad.map_or(Ok(()), |(leaf, index, value)| {
        let path = optimizer.structure.leaves[leaf].path.clone();
        Err(Error::NonFiniteGradient { path, index, value })
    })
}

/// The first leaf whose gradient is not finite, with the place and the number.
fn first_bad<T: Inexact>(
    slots: &[Slot<T>],
    collected: &mut Collected<'_>,
) -> Option<(usize, usize, f64)> {
    let side = T::pick(collected)?;
    let given = (0..side.sources.len()).filter_map(|leaf| Some((leaf, side.given(leaf)?)));
    let (number, gradient) = { given }.find(|(_, gradient)| !all_finite(gradient))?;
    let slot = slots.iter().filter(|slot| slot.trains).nth(number)?;
    let index = gradient.iter().position(|g| !g.is_finite_number())?;
    Some((slot.leaf, index, gradient[index].to_f64()))
}

/// Without a branch for each element, so that several are looked at at once.
#[inline]
fn all_finite<T: Inexact>(values: &[T]) -> bool {
    let finite = |values: &[T]| values.iter().fold(true, |ok, v| ok & v.is_finite_number());
    values.chunks(1024).all(finite)
}

/// Says how each gradient is to be shaped, if any is.
pub(super) fn shape<R: Rule>(optimizer: &Optimizer<R>, collected: &mut Collected<'_>) {
    let Optimizer {
        slots,
        groups,
        options,
        ..
    } = optimizer;
    let off = |clip: Clip| clip == Clip::Off;
    if options.max_norm.is_none() && groups.iter().all(|g| off(g.rule.settings().clip)) {
        return;
    }
    let clip = |group: usize| groups[group].rule.settings().clip;
    let mut norm = Norm::default();
    shape_leaves(&slots.f32s, collected, &clip, &mut norm);
    shape_leaves(&slots.f64s, collected, &clip, &mut norm);
    let (norm, limit) = (norm.get(), options.max_norm.unwrap_or(f64::INFINITY));
    if norm > limit {
        let factor = limit / norm;
        scale(collected.for_f32(), factor);
        scale(collected.for_f64(), factor);
    }
}

fn scale<T>(side: &mut Side<'_, T>, factor: f64) {
    for shaping in &mut side.shapes {
        shaping.factor *= factor;
    }
}

/// Shapes the leaves of one precision each by itself, and adds them to the norm of all.
fn shape_leaves<T: Inexact>(
    slots: &[Slot<T>],
    collected: &mut Collected<'_>,
    clip: &dyn Fn(usize) -> Clip,
    norm: &mut Norm,
) {
    let Some(side) = T::pick(collected) else {
        return;
    };
    let trained = slots.iter().filter(|slot| slot.trains);
    for (number, slot) in trained.enumerate() {
        let mut shaping = Shaping::NONE;
        if let Some(gradient) = side.gradient(number, slot) {
            let clip = clip(slot.group);
            if let Clip::Value(limit) = clip {
                shaping.limit = limit;
            }
            let length = length(gradient, shaping.limit);
            if let Clip::Norm(limit) = clip
                && length > limit
            {
                shaping.factor = limit / length;
            }
            norm.add(length * shaping.factor);
        }
        side.shapes.push(shaping);
    }
}

/// The Euclidean norm of what a limit leaves of a gradient.
fn length<T: Inexact>(gradient: &[T], limit: f64) -> f64 {
    let squares = |unit: f64| {
        let mut sum = [0.0; 8];
        for eight in gradient.chunks(8) {
            for (sum, g) in sum.iter_mut().zip(eight) {
                let g = g.to_f64().clamp(-limit, limit) / unit;
                *sum += g * g;
            }
        }
        sum.iter().sum::<f64>()
    };
    let sum = squares(1.0);
    if sum.is_finite() && sum > 1e-200 {
        return sum.sqrt();
    }
    // The squares have overflown, or vanish.
    let size = |size: f64, g: &T| size.max(g.to_f64().abs().min(limit));
    let largest = gradient.iter().fold(0.0, size);
    if largest == 0.0 {
        return 0.0;
    }
    largest * squares(largest).sqrt()
}

/// The norm of several norms, whose squares may overflow or vanish.
#[derive(Default)]
struct Norm {
    largest: f64,
    /// In units of it, squared.
    squares: f64,
}

impl Norm {
    fn add(&mut self, length: f64) {
        if length > self.largest {
            let shrink = self.largest / length;
            self.squares = self.squares * shrink * shrink + 1.0;
            self.largest = length;
        } else if length > 0.0 {
            let part = length / self.largest;
            self.squares += part * part;
        }
    }

    fn get(&self) -> f64 {
        self.largest * self.squares.sqrt()
    }
}
