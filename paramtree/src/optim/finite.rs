//! Whether gradients are finite.

use super::collected::{Collected, Source};
use super::optimizer::Optimizer;
use super::slot::{Slot, Slots};
use super::streams::in_four;
use crate::element::Inexact;
use crate::error::Error;

/// The first gradient of a trained leaf that is infinite or NaN: there is one.
#[cold]
pub(super) fn not_finite<R>(optimizer: &Optimizer<R>, collected: &mut Collected<'_>) -> Error {
    let Slots { f32s, f64s } = &optimizer.slots;
    let found = first_bad(f32s, collected).or_else(|| first_bad(f64s, collected));
    let Some(bad) = found else {
        return crate::layout::inconsistent();
    };
    let leaf = &optimizer.structure.leaves[bad.leaf];
    let path = leaf.path.clone();
    let shape = if bad.len == leaf.elements() {
        leaf.shape.clone()
    } else {
        vec![bad.len]
    };
    let Bad { index, value, .. } = bad;
    Error::NonFiniteGradient {
        path,
        shape,
        index,
        value,
    }
}

/// A number that is not finite.
struct Bad {
    leaf: usize,
    /// The length of the gradient that holds it.
    len: usize,
    index: usize,
    value: f64,
}

/// The first leaf of one precision that has such a number. In natural space if it is there.
fn first_bad<T: Inexact>(slots: &[Slot<T>], collected: &mut Collected<'_>) -> Option<Bad> {
    let side = T::pick(collected)?;
    let trained = slots.iter().filter(|slot| slot.trains);
    trained.enumerate().find_map(|(number, slot)| {
        let bad = |gradient: &[T]| {
            let index = gradient.iter().position(|g| !g.is_finite_number())?;
            Some(Bad {
                leaf: slot.leaf,
                len: gradient.len(),
                index,
                value: gradient[index].to_f64(),
            })
        };
        let pulled = bad(side.given(number)?)?;
        let natural = match &side.sources[number] {
            Source::Pulled(_, Some(natural)) => bad(natural),
            _ => None,
        };
        Some(natural.unwrap_or(pulled))
    })
}

/// Without a branch for each element, so that several are looked at at once.
#[inline]
pub(super) fn all_finite<T: Inexact>(values: &[T]) -> bool {
    if values.len() < 64 {
        return values.iter().fold(true, finite);
    }
    #[cfg(feature = "rayon")]
    if values.len() > super::kernel::PARALLEL {
        let (left, right) = values.split_at(values.len() / 2);
        let (left, right) = rayon::join(|| all_finite(left), || all_finite(right));
        return left & right;
    }
    all_finite_of_many(values)
}

#[inline]
fn finite<T: Inexact>(ok: bool, x: &T) -> bool {
    ok & x.is_finite_number()
}

/// 0 x is 0 if x is finite, and else NaN, which a sum keeps.
fn all_finite_of_many<T: Inexact>(values: &[T]) -> bool {
    let mut sums = [[T::ZERO; 16]; 4];
    let rest = in_four(values, |lanes: [&[T; 16]; 4]| {
        for (sums, lane) in sums.iter_mut().zip(lanes) {
            for (sum, x) in sums.iter_mut().zip(lane) {
                *sum = *sum + *x * T::ZERO;
            }
        }
    });
    rest.iter().chain(sums.iter().flatten()).fold(true, finite)
}
