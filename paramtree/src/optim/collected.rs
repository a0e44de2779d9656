//! The gradient of a step, leaf for leaf, and the room that a step needs.

use std::ops::Range;

use super::slot::Slot;
use crate::element::{PerInexact, Plain};

/// The gradients of the trained leaves of either precision.
#[derive(Clone, Debug, Default)]
pub(super) struct Collected<'g> {
    f32s: Side<'g, f32>,
    f64s: Side<'g, f64>,
    /// Whether some gradient is infinite or NaN, if that has been looked for.
    pub(super) not_finite: bool,
}

/// Those of one precision.
#[derive(Clone, Debug)]
pub(super) struct Side<'g, T> {
    /// For each trained leaf, where its gradient is.
    pub(super) sources: Vec<Source<'g, T>>,
    /// Gradients that did not lie in logical order.
    pub(super) gathered: Vec<T>,
    /// The coordinates of the leaves with a transform, and their gradients.
    pub(super) xs: Vec<T>,
    pub(super) x_bars: Vec<T>,
    /// How to shape each gradient before it is used. Empty: as it is.
    pub(super) shapes: Vec<Shaping>,
    /// The natural values of one leaf.
    pub(super) natural: Vec<T>,
    pub(super) again: Vec<T>,
    /// The walk's place in `sources` and in `xs`.
    pub(super) leaf: usize,
    pub(super) x: usize,
}

/// Where a gradient is.
#[derive(Clone, Debug)]
pub(super) enum Source<'g, T> {
    /// As it was given.
    Given(&'g [T]),
    /// Among those that were gathered.
    Gathered(Range<usize>),
    /// Pulled back through a transform, from where it was given if it lay in order.
    Pulled(Range<usize>, Option<&'g [T]>),
    /// It was not given, and need not be.
    Missing,
}

/// What is done to the elements of a gradient: a factor, then a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shaping {
    pub(super) limit: f64,
    pub(super) factor: f64,
}

impl Shaping {
    pub(super) const NONE: Self = Self {
        limit: f64::INFINITY,
        factor: 1.0,
    };
}

/// In which space gradients are given.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Given {
    /// Natural space, as a value of the model's type.
    Natural,
    /// Unconstrained space, as a flat vector.
    Flat,
}

impl<T> Default for Side<'_, T> {
    fn default() -> Self {
        Self {
            sources: Vec::new(),
            gathered: Vec::new(),
            xs: Vec::new(),
            x_bars: Vec::new(),
            shapes: Vec::new(),
            natural: Vec::new(),
            again: Vec::new(),
            leaf: 0,
            x: 0,
        }
    }
}

impl<'g> PerInexact for Collected<'g> {
    type Of<T: Plain> = Side<'g, T>;

    #[inline]
    fn for_f32(&mut self) -> &mut Side<'g, f32> {
        &mut self.f32s
    }

    #[inline]
    fn for_f64(&mut self) -> &mut Side<'g, f64> {
        &mut self.f64s
    }
}

impl Collected<'_> {
    /// Empty, with the same allocations, for another gradient.
    pub(super) fn reuse<'b>(self) -> Collected<'b> {
        Collected {
            f32s: self.f32s.reuse(),
            f64s: self.f64s.reuse(),
            not_finite: false,
        }
    }

    /// Lets a walk begin.
    pub(super) fn rewind(&mut self) {
        (self.f32s.leaf, self.f32s.x) = (0, 0);
        (self.f64s.leaf, self.f64s.x) = (0, 0);
    }
}

impl<T> Side<'_, T> {
    fn reuse<'b>(mut self) -> Side<'b, T> {
        self.sources.clear();
        // Nothing is left in it: what is collected is its allocation.
        #[allow(clippy::unnecessary_filter_map)] // it changes the lifetime
        let sources = self.sources.into_iter().filter_map(|_| None).collect();
        self.gathered.clear();
        self.xs.clear();
        self.x_bars.clear();
        self.shapes.clear();
        Side {
            sources,
            gathered: self.gathered,
            xs: self.xs,
            x_bars: self.x_bars,
            shapes: self.shapes,
            natural: self.natural,
            again: self.again,
            leaf: 0,
            x: 0,
        }
    }

    /// The gradient of a leaf, unless it is missing: what waits for its step goes first.
    pub(super) fn gradient<'s>(&'s self, leaf: usize, slot: &'s Slot<T>) -> Option<&'s [T]> {
        slot.waiting().or_else(|| self.given(leaf))
    }

    /// The gradient that came with this step.
    pub(super) fn given(&self, leaf: usize) -> Option<&[T]> {
        self.sources.get(leaf)?.get(&self.gathered, &self.x_bars)
    }
}

impl<'g, T> Source<'g, T> {
    #[inline]
    pub(super) fn get<'s>(&self, gathered: &'s [T], x_bars: &'s [T]) -> Option<&'s [T]>
    where
        'g: 's,
    {
        match self {
            Self::Given(values) => Some(values),
            Self::Gathered(range) => gathered.get(range.clone()),
            Self::Pulled(range, _) => x_bars.get(range.clone()),
            Self::Missing => None,
        }
    }
}
