//! Maps of one vector or matrix, and how leading axes follow from them.

use std::ops::Range;

use super::type_name;
use crate::real::Real;
use crate::refusal::Refusal;

/// A map of one event: a vector of the last axis or a matrix of the last two.
///
/// All slices hold one event, and `event` is its shape: as many axes as `rank` says.
/// [`event_transform`] makes a `Transform` of it.
pub(super) trait Event<T: Real> {
    /// What a table calls this transform.
    fn name(&self) -> String {
        type_name::<Self>()
    }

    /// How many axes an event has.
    fn rank(&self) -> usize;

    /// The ends of an open interval that holds every natural value.
    fn range(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    /// How many unconstrained coordinates an event of this shape has; refuses shapes and
    /// parameters.
    fn event_len(&self, event: &[usize]) -> Result<usize, Refusal>;

    /// Writes all of `y`, inside the domain even where it saturates.
    fn constrain(&self, x: &[T], y: &mut [T], event: &[usize]);

    /// Moves values apart, between these ends, that a later map has made equal and that must not be.
    fn part(&self, _values: &mut [T], _rising: bool, _ends: (T, T)) {}

    /// Whether `unconstrain` can take `y`; an index counts from the start of the event.
    fn check(&self, y: &[T], event: &[usize]) -> Result<(), Refusal>;

    /// Writes all of `x`; `y` has passed the check.
    fn unconstrain(&self, y: &[T], x: &mut [T], event: &[usize]);

    /// Writes all of `x_bar`.
    fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], event: &[usize]);

    fn log_abs_det_jacobian(&self, x: &[T], event: &[usize]) -> T;

    fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], event: &[usize]);
}

/// Implements `Transform` for a type that implements [`Event`].
///
/// `event_transform!(Ordered)` expands to `impl<T: Real> Transform<T> for Ordered { … }`.
macro_rules! event_transform {
    ($map:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: $crate::real::Real> $crate::transform::Transform<T> for $map {
            fn name(&self) -> String {
                $crate::transform::event::Event::<T>::name(self)
            }

            fn event_rank(&self) -> usize {
                $crate::transform::event::Event::<T>::rank(self)
            }

            fn range(&self) -> (f64, f64) {
                $crate::transform::event::Event::<T>::range(self)
            }

            fn part(&self, values: &mut [T], shape: &[usize], rising: bool, ends: (T, T)) {
                $crate::transform::event::part(self, values, shape, rising, ends);
            }

            fn unconstrained_len(
                &self,
                shape: &[usize],
            ) -> Result<usize, $crate::refusal::Refusal> {
                $crate::transform::event::unconstrained_len::<T>(self, shape)
            }

            fn constrain(&self, x: &[T], y: &mut [T], shape: &[usize]) {
                $crate::transform::event::constrain(self, x, y, shape);
            }

            fn unconstrain(
                &self,
                y: &[T],
                x: &mut [T],
                shape: &[usize],
            ) -> Result<(), $crate::refusal::Refusal> {
                $crate::transform::event::unconstrain(self, y, x, shape)
            }

            fn vjp(&self, x: &[T], y_bar: &[T], x_bar: &mut [T], shape: &[usize]) {
                $crate::transform::event::vjp(self, x, y_bar, x_bar, shape);
            }

            fn log_abs_det_jacobian(&self, x: &[T], shape: &[usize]) -> T {
                $crate::transform::event::log_abs_det_jacobian(self, x, shape)
            }

            fn add_log_abs_det_jacobian_grad(&self, x: &[T], grad: &mut [T], shape: &[usize]) {
                $crate::transform::event::add_log_abs_det_jacobian_grad(self, x, grad, shape);
            }
        }
    };
}
pub(super) use event_transform;

/// How a leaf divides into events.
struct Events<'s> {
    count: usize,
    /// The shape of one.
    event: &'s [usize],
    /// How many natural values one has.
    natural: usize,
    /// How many unconstrained coordinates one has.
    free: usize,
}

impl<'s> Events<'s> {
    fn of<T: Real>(map: &impl Event<T>, shape: &'s [usize]) -> Result<Self, Refusal> {
        let Some(leading) = shape.len().checked_sub(map.rank()) else {
            let kind = if map.rank() == 1 { "vector" } else { "matrix" };
            return Err(Refusal::shape(
                shape,
                format!("the transform maps a {kind}"),
            ));
        };
        let (leading, event) = shape.split_at(leading);
        Ok(Self {
            count: leading.iter().product(),
            event,
            natural: event.iter().product(),
            free: map.event_len(event)?,
        })
    }

    /// For slices that are said to belong to the shape.
    fn checked<T: Real>(map: &impl Event<T>, shape: &'s [usize], x: usize, y: usize) -> Self {
        let events = match Self::of(map, shape) {
            Ok(events) => events,
            Err(refusal) => panic!("{refusal}"),
        };
        assert_eq!(x, events.count * events.free, "coordinates of {shape:?}");
        assert_eq!(y, events.count * events.natural, "values of {shape:?}");
        events
    }

    fn free(&self, i: usize) -> Range<usize> {
        i * self.free..(i + 1) * self.free
    }

    fn natural(&self, i: usize) -> Range<usize> {
        i * self.natural..(i + 1) * self.natural
    }
}

pub(super) fn unconstrained_len<T: Real>(
    map: &impl Event<T>,
    shape: &[usize],
) -> Result<usize, Refusal> {
    let events = Events::of(map, shape)?;
    Ok(events.count * events.free)
}

pub(super) fn constrain<T: Real>(map: &impl Event<T>, x: &[T], y: &mut [T], shape: &[usize]) {
    let events = Events::checked(map, shape, x.len(), y.len());
    for i in 0..events.count {
        let y = &mut y[events.natural(i)];
        map.constrain(&x[events.free(i)], y, events.event);
    }
}

pub(super) fn part<T: Real>(
    map: &impl Event<T>,
    values: &mut [T],
    shape: &[usize],
    rising: bool,
    ends: (T, T),
) {
    if let Ok(events) = Events::of(map, shape) {
        for i in 0..events.count {
            map.part(&mut values[events.natural(i)], rising, ends);
        }
    }
}

pub(super) fn unconstrain<T: Real>(
    map: &impl Event<T>,
    y: &[T],
    x: &mut [T],
    shape: &[usize],
) -> Result<(), Refusal> {
    check(map, y, shape)?;
    unconstrain_checked(map, y, x, shape);
    Ok(())
}

pub(super) fn check<T: Real>(map: &impl Event<T>, y: &[T], shape: &[usize]) -> Result<(), Refusal> {
    let events = Events::of(map, shape)?;
    for i in 0..events.count {
        let natural = events.natural(i);
        let start = natural.start;
        map.check(&y[natural], events.event)
            .map_err(|refusal| refusal.reindexed(|index| start + index))?;
    }
    Ok(())
}

pub(super) fn unconstrain_checked<T: Real>(
    map: &impl Event<T>,
    y: &[T],
    x: &mut [T],
    shape: &[usize],
) {
    let events = Events::checked(map, shape, x.len(), y.len());
    for i in 0..events.count {
        let x = &mut x[events.free(i)];
        map.unconstrain(&y[events.natural(i)], x, events.event);
    }
}

pub(super) fn vjp<T: Real>(
    map: &impl Event<T>,
    x: &[T],
    y_bar: &[T],
    x_bar: &mut [T],
    shape: &[usize],
) {
    let events = Events::checked(map, shape, x.len(), y_bar.len());
    for i in 0..events.count {
        let (x, y_bar) = (&x[events.free(i)], &y_bar[events.natural(i)]);
        map.vjp(x, y_bar, &mut x_bar[events.free(i)], events.event);
    }
}

pub(super) fn log_abs_det_jacobian<T: Real>(map: &impl Event<T>, x: &[T], shape: &[usize]) -> T {
    let natural = shape.iter().product();
    let events = Events::checked(map, shape, x.len(), natural);
    total(0..events.count, &|i| {
        map.log_abs_det_jacobian(&x[events.free(i)], events.event)
    })
}

pub(super) fn add_log_abs_det_jacobian_grad<T: Real>(
    map: &impl Event<T>,
    x: &[T],
    grad: &mut [T],
    shape: &[usize],
) {
    let natural = shape.iter().product();
    let events = Events::checked(map, shape, x.len(), natural);
    for i in 0..events.count {
        let grad = &mut grad[events.free(i)];
        map.add_log_abs_det_jacobian_grad(&x[events.free(i)], grad, events.event);
    }
}

/// The sum of a term for each index, pairwise: its rounding error grows with the logarithm of the
/// length, which `f32` needs.
pub(super) fn total<T: Real>(range: Range<usize>, term: &impl Fn(usize) -> T) -> T {
    if range.len() <= 128 {
        return range.fold(T::from_f64(0.0), |sum, i| sum + term(i));
    }
    let middle = range.start + range.len() / 2;
    total(range.start..middle, term) + total(middle..range.end, term)
}
