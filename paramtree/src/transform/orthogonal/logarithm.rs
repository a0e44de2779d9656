//! The logarithm of rotations.

use super::turn::tangents;
use crate::transform::dense::Square;
use crate::transform::number::Number;

/// So many square roots bring each angle below π/8.
const ROOTS: i32 = 3;

/// With tan(θ/2) < 0.2 for each angle, the next term of the series of the arc tangent is below the
/// rounding of an `f64`.
const TERMS: u32 = 13;

/// The skew-symmetric logarithm of least angles; or the distance of the rotation from a half turn,
/// if it is not above the tolerance.
///
/// It is 2 artanh T = 2 Σ T^(2k+1) / (2k+1) with T = (R + 1)⁻¹ (R - 1), after some square roots.
pub(super) fn of<N: Number>(turn: &Square<N>, tolerance: f64) -> Result<Square<N>, f64> {
    let n = turn.len();
    tangents(turn, tolerance)?;
    let mut root = turn.clone();
    for _ in 0..ROOTS {
        root = polar(&(&root + &Square::diagonal(n, 1.0)));
    }
    let tangent = tangents(&root, 0.0)?.scaled(0.5);
    let square = &tangent * &tangent;
    let one = N::constant(1.0);
    let mut series = Square::diagonal(n, 0.0);
    for k in (0..TERMS).rev() {
        let coefficient = one / N::constant(f64::from(2 * k + 1));
        series = &square * &series;
        for i in 0..n {
            series[(i, i)] = series[(i, i)] + coefficient;
        }
    }
    Ok((&tangent * &series).scaled(2.0_f64.powi(ROOTS + 1)))
}

/// The orthogonal polar factor of an invertible matrix, by Newton's iteration with scaling. That
/// of 1 + R is the square root of the rotation R.
///
/// Higham, "Computing the polar decomposition with applications" (1986).
fn polar<N: Number>(matrix: &Square<N>) -> Square<N> {
    let mut polar = matrix.clone();
    let mut is_last = false;
    for _ in 0..40 {
        let one = Square::diagonal(polar.len(), 1.0);
        let Some((_, inverse)) = polar.clone().solve(one) else {
            break;
        };
        let inverse = inverse.transposed();
        let ratio = (inverse.squared_norm() / polar.squared_norm())
            .sqrt()
            .sqrt();
        let scale = if (0.9..1.1).contains(&ratio) {
            1.0
        } else {
            ratio
        };
        let next = &polar.scaled(0.5 * scale) + &inverse.scaled(0.5 / scale);
        let change = (&next - &polar).squared_norm();
        polar = next;
        if is_last {
            break;
        }
        // The next error is the square of this one, of which we have the square.
        is_last = change < 1e-18 * polar.squared_norm();
    }
    polar
}
