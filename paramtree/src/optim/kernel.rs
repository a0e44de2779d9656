//! Running a rule over the numbers of a leaf.

use super::collected::Shaping;
use super::rule::Rule;
use crate::element::Inexact;

/// Leaves of more numbers are stepped in two halves at once, and so on: what one thread does to
/// as many takes far longer than handing them over.
#[cfg(feature = "rayon")]
pub(super) const PARALLEL: usize = 1 << 15;

/// How many numbers of a gradient are shaped at a time.
const CHUNK: usize = 256;

/// Updates numbers in place. All slices have one length, those of moments that the rule has not
/// are empty.
#[inline]
pub(super) fn run<R: Rule, T: Inexact>(
    scalars: &R::Scalars<T>,
    params: &mut [T],
    gradient: &[T],
    moments: [&mut [T]; 2],
    shaping: Shaping,
) {
    // A `Module` whose walks disagree finds a gradient of another length.
    if params.len() != gradient.len() {
        return;
    }
    #[cfg(feature = "rayon")]
    if params.len() > PARALLEL {
        let middle = params.len() / 2;
        let (left, right) = params.split_at_mut(middle);
        let (left_gradient, right_gradient) = gradient.split_at(middle);
        let [(left_first, right_first), (left_second, right_second)] =
            moments.map(|moment| split(moment, middle));
        let left_moments = [left_first, left_second];
        let right_moments = [right_first, right_second];
        rayon::join(
            || run::<R, T>(scalars, left, left_gradient, left_moments, shaping),
            || run::<R, T>(scalars, right, right_gradient, right_moments, shaping),
        );
        return;
    }
    if shaping == Shaping::NONE {
        return R::update(scalars, params, gradient, moments);
    }
    shaped::<R, T>(scalars, params, gradient, moments, shaping);
}

fn shaped<R: Rule, T: Inexact>(
    scalars: &R::Scalars<T>,
    params: &mut [T],
    gradient: &[T],
    moments: [&mut [T]; 2],
    shaping: Shaping,
) {
    let [mut first, mut second] = moments;
    let mut room = [T::ZERO; CHUNK];
    for (params, gradient) in params.chunks_mut(CHUNK).zip(gradient.chunks(CHUNK)) {
        let shaped = &mut room[..gradient.len()];
        for (out, g) in shaped.iter_mut().zip(gradient) {
            let g = g.to_f64().clamp(-shaping.limit, shaping.limit);
            *out = T::from_f64(g * shaping.factor);
        }
        let (first_part, first_rest) = split(first, params.len());
        let (second_part, second_rest) = split(second, params.len());
        R::update(scalars, params, shaped, [first_part, second_part]);
        (first, second) = (first_rest, second_rest);
    }
}

/// The first part and the rest of a moment, or of none.
fn split<T>(moment: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
    let at = at.min(moment.len());
    moment.split_at_mut(at)
}
