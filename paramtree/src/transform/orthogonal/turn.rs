//! What a rotation tells of its skew-symmetric matrix.

use crate::transform::dense::Square;
use crate::transform::number::Number;

/// 2 (R + 1)⁻¹ (R - 1), whose eigenvalues are 2i tan(θ/2); or the distance of R from a half turn,
/// if it is not above the tolerance.
pub(super) fn tangents<N: Number>(turn: &Square<N>, tolerance: f64) -> Result<Square<N>, f64> {
    let one = Square::diagonal(turn.len(), 1.0);
    let Some((pivots, ratio)) = (turn + &one).solve(turn - &one) else {
        return Err(0.0);
    };
    let distance = least_pivot(&pivots);
    if distance > tolerance {
        Ok(ratio.scaled(2.0))
    } else {
        Err(distance)
    }
}

/// Whether `tangents` is there.
pub(super) fn is_short_of_half<N: Number>(turn: &Square<N>, tolerance: f64) -> bool {
    let one = Square::diagonal(turn.len(), 1.0);
    let pivots = (turn + &one).solve(one);
    pivots.is_some_and(|(pivots, _)| least_pivot(&pivots) > tolerance)
}

fn least_pivot<N: Number>(pivots: &Square<N>) -> f64 {
    let diagonal = (0..pivots.len()).map(|i| pivots[(i, i)].value().abs());
    diagonal.fold(f64::INFINITY, f64::min)
}
