//! Hyperbolic functions that keep their digits where tanh x has become 1.

use super::logistic::tanh_half;
use crate::real::Real;

#[inline]
pub(super) fn tanh<T: Real>(x: T) -> T {
    tanh_half(x + x)
}

/// 1 / cosh x.
#[inline]
pub(super) fn sech<T: Real>(x: T) -> T {
    let fall = (-x.abs()).exp();
    let one = T::from_f64(1.0);
    (fall + fall) / (one + fall * fall)
}

/// asinh(a / b) for positive b; the quotient may overflow.
#[inline]
pub(super) fn asinh_ratio<T: Real>(a: T, b: T) -> T {
    let one = T::from_f64(1.0);
    let ln_2 = T::from_f64(std::f64::consts::LN_2);
    let ratio = a.abs() / b;
    let magnitude = if !ratio.is_finite() {
        a.abs().ln() - b.ln() + ln_2
    } else if ratio * T::epsilon() > one {
        ratio.ln() + ln_2
    } else {
        (ratio + ratio * (ratio / (one + hypot(one, ratio)))).ln_1p()
    };
    if a < T::from_f64(0.0) {
        -magnitude
    } else {
        magnitude
    }
}

/// √(a² + b²) without overflow or underflow of the squares.
#[inline]
pub(super) fn hypot<T: Real>(a: T, b: T) -> T {
    let (a, b) = (a.abs(), b.abs());
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    if large > T::from_f64(0.0) && large.is_finite() {
        let ratio = small / large;
        large * (T::from_f64(1.0) + ratio * ratio).sqrt()
    } else {
        small + large
    }
}
