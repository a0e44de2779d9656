//! How long gradients may be.

use super::collected::{Collected, Shaping, Side};
use super::optimizer::Optimizer;
use super::rule::{Clip, Rule};
use super::slot::Slot;
use super::streams::in_four;
use crate::element::{Inexact, PerInexact};

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
    let limit = options.max_norm.unwrap_or(f64::INFINITY);
    if let Some(factor) = norm.get().shortened_to(limit) {
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
            let mut length = Length::of(gradient, shaping.limit);
            if let Clip::Norm(limit) = clip
                && let Some(factor) = length.shortened_to(limit)
            {
                shaping.factor = factor;
                length = Length::from(limit);
            }
            norm.add(length);
        }
        side.shapes.push(shaping);
    }
}

/// A Euclidean norm, which may be greater than any number: `norm` times `unit`.
#[derive(Clone, Copy)]
struct Length {
    unit: f64,
    norm: f64,
}

impl From<f64> for Length {
    fn from(norm: f64) -> Self {
        Self { unit: 1.0, norm }
    }
}

impl Length {
    /// That of what a limit leaves of a gradient.
    fn of<T: Inexact>(gradient: &[T], limit: f64) -> Self {
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
        let sum = if limit == f64::INFINITY {
            sum_of_squares(gradient)
        } else {
            squares(1.0)
        };
        if sum.is_finite() && sum > 1e-200 {
            return Self::from(sum.sqrt());
        }
        // The squares have overflown, or vanish.
        let size = |size: f64, g: &T| size.max(g.to_f64().abs().min(limit));
        let unit = gradient.iter().fold(0.0, size);
        let norm = if unit > 0.0 {
            squares(unit).sqrt()
        } else {
            0.0
        };
        Self { unit, norm }
    }

    /// The factor that makes it `limit`, if it is greater.
    fn shortened_to(self, limit: f64) -> Option<f64> {
        (self.norm * self.unit > limit).then(|| limit / self.norm / self.unit)
    }
}

fn sum_of_squares<T: Inexact>(values: &[T]) -> f64 {
    let square = |g: &T| g.to_f64() * g.to_f64();
    if values.len() < 64 {
        return values.iter().map(square).sum();
    }
    let mut sums = [[0.0; 8]; 4];
    let rest = in_four(values, |lanes: [&[T; 8]; 4]| {
        for (sums, lane) in sums.iter_mut().zip(lanes) {
            for (sum, g) in sums.iter_mut().zip(lane) {
                *sum += square(g);
            }
        }
    });
    rest.iter()
        .map(square)
        .chain(sums.into_iter().flatten())
        .sum()
}

/// The norm of several norms.
#[derive(Default)]
struct Norm {
    unit: f64,
    /// In units of it, squared.
    squares: f64,
}

impl Norm {
    fn add(&mut self, Length { unit, norm }: Length) {
        if unit > self.unit {
            let shrink = self.unit / unit;
            self.squares *= shrink * shrink;
            self.unit = unit;
        }
        if self.unit > 0.0 {
            let part = norm * (unit / self.unit);
            self.squares += part * part;
        }
    }

    fn get(&self) -> Length {
        let (unit, norm) = (self.unit, self.squares.sqrt());
        Length { unit, norm }
    }
}
