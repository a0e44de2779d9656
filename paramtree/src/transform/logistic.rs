//! The logistic function and its relatives, in the forms that keep their digits everywhere.

use crate::real::Real;

/// 1 / (1 + exp(-x)), with the digits of the result on both sides of zero.
#[inline]
pub(super) fn logistic<T: Real>(x: T) -> T {
    let one = T::from_f64(1.0);
    let tail = (-x.abs()).exp();
    if x < T::from_f64(0.0) {
        tail / (one + tail)
    } else {
        one / (one + tail)
    }
}

/// The derivative of the logistic function: exp(-|x|) / (1 + exp(-|x|))².
#[inline]
pub(super) fn logistic_slope<T: Real>(x: T) -> T {
    let tail = (-x.abs()).exp();
    let whole = T::from_f64(1.0) + tail;
    tail / (whole * whole)
}

/// The logarithm of [`logistic_slope`].
#[inline]
pub(super) fn log_logistic_slope<T: Real>(x: T) -> T {
    let x = x.abs();
    -(x + T::from_f64(2.0) * (-x).exp().ln_1p())
}

/// tanh(x / 2) = 2 logistic(x) - 1.
#[inline]
pub(super) fn tanh_half<T: Real>(x: T) -> T {
    let fall = (-x.abs()).exp_m1();
    let magnitude = -fall / (T::from_f64(2.0) + fall);
    if x < T::from_f64(0.0) {
        -magnitude
    } else {
        magnitude
    }
}

/// ln(1 + exp x).
#[inline]
pub(super) fn softplus<T: Real>(x: T) -> T {
    let rest = (-x.abs()).exp().ln_1p();
    if x < T::from_f64(0.0) { rest } else { x + rest }
}

/// ln(exp y - 1): where y is large, exp y overflows; where it is small, exp y - 1 has no digits.
#[inline]
pub(super) fn softplus_inverse<T: Real>(y: T) -> T {
    if y > T::from_f64(1.0) {
        y + (-(-y).exp()).ln_1p()
    } else {
        y.exp_m1().ln()
    }
}

/// ln(p / q) for positive p and q, with all digits near zero when `difference` = p - q has them.
#[inline]
pub(super) fn log_ratio<T: Real>(p: T, q: T, difference: T) -> T {
    if p < q {
        -log_ratio_above(q, p, -difference)
    } else {
        log_ratio_above(p, q, difference)
    }
}

fn log_ratio_above<T: Real>(p: T, q: T, difference: T) -> T {
    let excess = difference / q;
    if excess < T::from_f64(3.0) {
        return excess.ln_1p();
    }
    let ratio = p / q;
    if ratio.is_finite() {
        ratio.ln()
    } else {
        p.ln() - q.ln()
    }
}
