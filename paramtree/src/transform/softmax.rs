//! Exponentials divided by their sum.

use super::twice::Twice;
use crate::real::Real;

/// The largest of the values.
#[inline]
pub(super) fn peak<T: Real>(z: impl Iterator<Item = Twice<T>>) -> Twice<T> {
    z.fold(lowest(), |peak, z| if z > peak { z } else { peak })
}

/// The largest value, and what belongs to it.
#[inline]
pub(super) fn peak_with<T: Real, B>(
    z: impl Iterator<Item = Twice<T>>,
    with: impl Iterator<Item = B>,
    none: B,
) -> (Twice<T>, B) {
    let start = (lowest(), none);
    z.zip(with)
        .fold(start, |peak, z| if z.0 > peak.0 { z } else { peak })
}

fn lowest<T: Real>() -> Twice<T> {
    Twice::new(T::from_f64(f64::NEG_INFINITY))
}

/// The exponential of how far a value is below the peak.
#[inline]
pub(super) fn weight<T: Real>(z: Twice<T>, peak: Twice<T>) -> T {
    let plain = z.high - peak.high;
    if plain.is_finite() {
        (z - peak).exp()
    } else {
        plain.exp()
    }
}

/// Replaces weights by their shares, none of them zero.
#[inline]
pub(super) fn share_out<T: Real>(weights: &mut [T]) {
    let (zero, infinity) = (T::from_f64(0.0), T::from_f64(f64::INFINITY));
    let sum = weights.iter().fold(zero, |sum, &weight| sum + weight);
    for weight in weights {
        *weight = (*weight / sum).clamp_open(zero, infinity);
    }
}

/// Replaces weights by the gradient with respect to their logarithms, from that with respect to
/// their shares.
///
/// One weight stands by itself. With the gradient at the peak taken from all others, nothing
/// cancels where one share is nearly everything.
pub(super) fn pull<T: Real>(
    (one, one_bar): (&mut T, T),
    weights: &mut [T],
    bars: &[T],
    peak_bar: T,
) {
    let start = (*one, *one * (one_bar - peak_bar));
    let (sum, mean) = (weights.iter().zip(bars)).fold(start, |(sum, mean), (&weight, &bar)| {
        (sum + weight, mean + weight * (bar - peak_bar))
    });
    let mean = mean / sum;
    *one = *one / sum * (one_bar - peak_bar - mean);
    for (weight, &bar) in weights.iter_mut().zip(bars) {
        *weight = *weight / sum * (bar - peak_bar - mean);
    }
}
