//! Another scalar passes through: a dual number's derivative is the transform's own.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use paramtree::Real;
use paramtree::transform::{
    Affine, Correlation, Elementwise, Interval, Lower, Positive, Softplus, Transform, UnitInterval,
    Upper,
};

use crate::unconstrain;

/// A value and its derivative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dual(pub(crate) f64, pub(crate) f64);

impl PartialEq for Dual {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl PartialOrd for Dual {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.0.partial_cmp(&other.0)
    }
}

impl Add for Dual {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0, self.1 * other.0 + self.0 * other.1)
    }
}

impl Div for Dual {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let quotient = self.0 / other.0;
        Self(quotient, (self.1 - quotient * other.1) / other.0)
    }
}

impl Neg for Dual {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl Real for Dual {
    fn from_f64(value: f64) -> Self {
        Self(value, 0.0)
    }
    fn to_f64(self) -> f64 {
        self.0
    }
    fn exp(self) -> Self {
        Self(self.0.exp(), self.1 * self.0.exp())
    }
    fn exp_m1(self) -> Self {
        Self(self.0.exp_m1(), self.1 * self.0.exp())
    }
    fn ln(self) -> Self {
        Self(self.0.ln(), self.1 / self.0)
    }
    fn ln_1p(self) -> Self {
        Self(self.0.ln_1p(), self.1 / (1.0 + self.0))
    }
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1 / (2.0 * self.0.sqrt()))
    }
    fn largest() -> Self {
        Self::from_f64(f64::MAX)
    }
    fn smallest_normal() -> Self {
        Self::from_f64(f64::MIN_POSITIVE)
    }
    fn clamp_open(self, lower: Self, upper: Self) -> Self {
        Self(self.0.clamp_open(lower.0, upper.0), self.1)
    }
}

#[track_caller]
fn assert_near(got: f64, expected: f64, absolute: f64, what: &str) {
    let error = (got - expected).abs();
    let allowed = absolute.max(1e-14 * expected.abs());
    assert!(error <= allowed, "{what}: {got:?}, not {expected:?}");
}

/// Every formula against the derivative of the one before it.
fn check(map: &(impl Elementwise<f64> + Elementwise<Dual>)) {
    let name = Elementwise::<f64>::name(map);
    for x in [
        -60.0, -5.0, -1.0, -0.999, -0.1, 0.0, 0.1, 0.5, 1.0, 1.3, 8.0, 60.0,
    ] {
        let at = |what: &str| format!("{name}, {what} at {x}");
        let variable = Dual(x, 1.0);
        let (value, log_derivative) = (map.value(variable), map.log_derivative(variable));
        let (slope, derivative) = (map.log_derivative_slope(x), map.derivative(x));
        assert_near(value.0, map.value(x), 0.0, &at("value"));
        assert_near(value.1, derivative, 0.0, &at("derivative"));
        assert_near(
            log_derivative.0,
            derivative.abs().ln(),
            1e-15,
            &at("log-derivative"),
        );
        assert_near(log_derivative.1, slope, 1e-15, &at("its slope"));
    }
    let inverse = unconstrain(map, Dual(map.value(0.7), 1.0)).unwrap();
    assert_near(inverse.1, 1.0 / map.derivative(0.7), 0.0, "inverse");
}

#[test]
fn derivatives_pass_through() {
    check(&Positive);
    check(&Softplus);
    check(&Lower::new(-3));
    check(&Lower::softplus(2));
    check(&Upper::new(2.5));
    check(&Upper::softplus(-1));
    check(&UnitInterval);
    check(&Interval::new(-1, 2));
    check(&Interval::new(-1e308, 1e308));
    check(&Affine::new(2, -3.5));
    check(&Correlation);
}

#[test]
fn a_clamped_value_keeps_its_derivative() {
    let mut y = [Dual(0.0, 0.0)];
    UnitInterval.constrain(&[Dual(40.0, 1.0)], &mut y, &[]);
    assert_eq!(y[0].0.to_bits(), 1.0_f64.next_down().to_bits());
    assert_near(y[0].1, 4.248_354_255_291_589e-18, 0.0, "derivative");
}
