//! The Cayley map of skew-symmetric matrices.
//!
//! All of it follows from N = (1 - A/2)⁻¹, whose norm is at most 1.

use crate::real::Real;
use crate::transform::count;
use crate::transform::dense::Square;
use crate::transform::matrix::{largest_entry, slack};
use crate::transform::twice::Twice;

/// (1 - A/2)⁻¹ (1 + A/2) = 2 N - 1
pub(super) fn turn<T: Real>(skew: &Square<T>) -> Square<T> {
    let limit = 1.0 / slack::<T>(16.0, skew.len()).to_f64();
    let doubled = resolvent(skew, limit).inverse.scaled(2.0);
    &doubled - &Square::diagonal(skew.len(), 1.0)
}

/// The gradient of A's entries: dR = N dA N.
pub(super) fn pull<T: Real>(skew: &Square<T>, turn_bar: &Square<T>) -> Square<T> {
    let inverse = resolvent(skew, furthest::<T>()).inverse.transposed();
    &(&inverse * turn_bar) * &inverse
}

/// det(1 - A/2) = det(1 + A/2), so that the square root of det(1 - A²/4) is either.
pub(super) fn log_det<T: Real>(skew: &Square<T>) -> T {
    let zero = T::from_f64(0.0);
    if skew.len() < 2 {
        return zero;
    }
    zero - count::<T>(skew.len() - 1) * resolvent(skew, furthest::<T>()).log_det
}

/// The gradient of `log_det` in A's entries below the diagonal.
pub(super) fn log_det_slope<T: Real>(skew: &Square<T>) -> Square<T> {
    let n = skew.len();
    let inverse = resolvent(skew, furthest::<T>()).inverse;
    let half = count::<T>(n.saturating_sub(1)) * T::from_f64(0.5);
    Square::from_fn(n, |i, j| half * (inverse[(j, i)] - inverse[(i, j)]))
}

/// (1 - A/2)⁻¹, and the logarithm of the determinant of 1 - A/2.
struct Resolvent<T> {
    inverse: Square<T>,
    log_det: T,
}

/// The norm of A up to which elimination keeps all but few of the leaf's digits.
const FEW_DIGITS: f64 = 4.0;

/// As far as twice the digits tell 1 from A.
fn furthest<T: Real>() -> f64 {
    T::epsilon().to_f64().powi(-2)
}

/// For A shrunk until its rows have no greater sums than `limit`.
fn resolvent<T: Real>(skew: &Square<T>, limit: f64) -> Resolvent<T> {
    let n = skew.len();
    let solved = if norm(skew) <= FEW_DIGITS {
        let one = Square::diagonal(n, 1.0);
        (&one - &skew.scaled(0.5)).solve(one)
    } else {
        let one = Square::diagonal(n, 1.0);
        let half = skew.scaled(0.5 * shrink(skew, limit));
        let solved = (&one - &half.map(Twice::new)).solve(one);
        solved.map(|(pivots, inverse)| (pivots.map(Twice::rounded), inverse.map(Twice::rounded)))
    };
    let Some((pivots, inverse)) = solved else {
        let nan = T::from_f64(f64::NAN);
        return Resolvent {
            inverse: Square::from_fn(n, |_, _| nan),
            log_det: nan,
        };
    };
    let logs = (0..n).map(|i| pivots[(i, i)].abs().ln());
    Resolvent {
        inverse,
        log_det: logs.fold(T::from_f64(0.0), |sum, log| sum + log),
    }
}

/// The largest sum of the magnitudes of a row.
fn norm<T: Real>(skew: &Square<T>) -> f64 {
    let sum = |i: usize| {
        let magnitudes = skew.row(i).iter().map(|entry| entry.to_f64().abs());
        magnitudes.sum::<f64>()
    };
    (0..skew.len()).map(sum).fold(0.0, f64::max)
}

/// What A is to be multiplied by so that no row has a greater sum of magnitudes than `limit`.
fn shrink<T: Real>(skew: &Square<T>, limit: f64) -> f64 {
    let largest = largest_entry(skew.entries()).to_f64();
    (limit / count::<f64>(skew.len()) / largest).min(1.0)
}
