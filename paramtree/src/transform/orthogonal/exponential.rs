//! The exponential of skew-symmetric matrices.

use super::turn::is_short_of_half;
use crate::real::Real;
use crate::transform::dense::Square;
use crate::transform::matrix::slack;
use crate::transform::number::{Jet, Number};

/// The coefficients of the Padé approximant of degree 13, the first being 1; those of the
/// denominator have alternating signs. Higham, "The scaling and squaring method for the matrix
/// exponential revisited" (2005).
const PADE: [f64; 14] = {
    let whole: [u64; 14] = [
        64_764_752_532_480_000,
        32_382_376_266_240_000,
        7_771_770_303_897_600,
        1_187_353_796_428_800,
        129_060_195_264_000,
        10_559_470_521_600,
        670_442_572_800,
        33_522_128_640,
        1_323_241_920,
        40_840_800,
        960_960,
        16_380,
        182,
        1,
    ];
    let mut pade = [0.0; 14];
    let mut k = 0;
    while k < 14 {
        #[allow(
            clippy::cast_precision_loss,
            reason = "the first has 46 bits and zeros"
        )]
        let ratio = whole[k] as f64 / whole[0] as f64;
        pade[k] = ratio;
        k += 1;
    }
    pade
};

/// The norm up to which the approximant is exact.
const REACH: f64 = 5.0;

/// After so many squarings, rounding has taken the result too far from orthogonal.
const SQUARINGS: u32 = 4;

/// exp A, and never a half turn.
pub(super) fn turn<T: Real>(skew: &Square<T>) -> Square<T> {
    let n = skew.len();
    let tolerance = slack::<T>(16.0, n).to_f64();
    let shrink = 1.0 - slack::<T>(64.0, n).to_f64();
    let mut turn = exp(skew);
    let mut skew = skew.clone();
    for _ in 0..4 {
        if is_short_of_half(&turn, tolerance) {
            break;
        }
        skew = skew.scaled(shrink);
        turn = exp(&skew);
    }
    turn
}

/// The gradient of A's entries.
///
/// With R = exp A, dR = R ∫ exp(-sA) dA exp(sA) ds, so that only the skew part W of Rᵀ R̄ counts,
/// and the gradient is ∫ exp(sA) W exp(-sA) ds: the derivative of exp at A towards W, times Rᵀ.
pub(super) fn pull<T: Real>(skew: &Square<T>, turn_bar: &Square<T>) -> Square<T> {
    let turn = exp(skew).transposed();
    let full = &turn * turn_bar;
    let part = (&full - &full.transposed()).scaled(0.5);
    let jets = Square::from_fn(skew.len(), |i, j| Jet {
        value: skew[(i, j)],
        slope: part[(i, j)],
    });
    let slopes = exp(&jets).map(|jet| jet.slope);
    &slopes * &turn
}

/// Of a skew-symmetric matrix, whose exponential is orthogonal.
fn exp<N: Number>(skew: &Square<N>) -> Square<N> {
    let sum = |i: usize| {
        let magnitudes = skew.row(i).iter().map(|entry| entry.value().abs());
        magnitudes.sum::<f64>()
    };
    let mut norm = (0..skew.len()).map(sum).fold(0.0, f64::max).min(f64::MAX);
    let (mut scale, mut squarings) = (1.0, 0);
    while norm > REACH {
        norm *= 0.5;
        scale *= 0.5;
        squarings += 1;
    }
    let mut result = pade(&skew.scaled(scale));
    for k in 1..=squarings {
        result = &result * &result;
        if k % SQUARINGS == 0 || k == squarings {
            result = result.orthogonalised();
        }
    }
    result
}

fn pade<N: Number>(a: &Square<N>) -> Square<N> {
    let one = Square::diagonal(a.len(), 1.0);
    let two = a * a;
    let four = &two * &two;
    let six = &two * &four;
    let combined = |of_six: f64, of_four: f64, of_two: f64| {
        &(&six.scaled(of_six) + &four.scaled(of_four)) + &two.scaled(of_two)
    };
    let half = |k: usize| {
        let high = &six * &combined(PADE[k + 12], PADE[k + 10], PADE[k + 8]);
        let low = combined(PADE[k + 6], PADE[k + 4], PADE[k + 2]);
        &(&high + &low) + &one.scaled(PADE[k])
    };
    let (even, odd) = (half(0), a * &half(1));
    match (&even - &odd).solve(&even + &odd) {
        Some((_, result)) => result,
        None => one.scaled(f64::NAN),
    }
}
