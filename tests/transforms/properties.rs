//! What holds for every transform, every parameter and every number.

use std::fmt;

use paramtree::transform::{
    Affine, Chain, Elementwise, Interval, Lower, Positive, Softplus, Transform, UnitInterval, Upper,
};
use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
use proptest::prelude::*;

use crate::precision::Precision;
use crate::{constrain, unconstrain};

/// A scalar map as both of what it is.
trait Scalar<T: Precision>: Elementwise<T> + Transform<T> {}

impl<T: Precision, E: Elementwise<T> + Transform<T>> Scalar<T> for E {}

/// Some transform that makes sense, by its name in a failure.
struct Map<T>(Box<dyn Scalar<T>>);

impl<T: Precision> fmt::Debug for Map<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Transform::name(&*self.0))
    }
}

impl<T: Precision> Map<T> {
    fn new(map: impl Scalar<T> + 'static) -> Self {
        Self(Box::new(map))
    }
}

/// The error that rounding alone explains, in the natural value `y`.
fn slack<T: Precision>(map: &dyn Transform<T>, y: T) -> f64 {
    let (lower, upper) = map.range();
    let ends = [lower, upper].into_iter().filter(|end| end.is_finite());
    let least = y.to_f64().abs().max(T::smallest_normal().to_f64());
    4.0 * T::EPSILON * ends.fold(least, |most, end| most.max(end.abs()))
}

fn finite() -> impl Strategy<Value = f64> {
    prop_oneof![
        -100.0..100.0,
        POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO
    ]
}

fn maps<T: Precision>() -> impl Strategy<Value = Map<T>> {
    let (a, b) = (finite(), finite());
    let map = (0..9, a, b).prop_map(|(choice, a, b)| match choice {
        0 => Map::new(Positive),
        1 => Map::new(Softplus),
        2 => Map::new(UnitInterval),
        3 => Map::new(Lower::new(a)),
        4 => Map::new(Lower::softplus(a)),
        5 => Map::new(Upper::new(a)),
        6 => Map::new(Upper::softplus(a)),
        7 => Map::new(Interval::new(a.min(b), a.max(b))),
        _ => Map::new(Affine::new(a, b)),
    });
    map.prop_filter("no transform", |map| map.0.unconstrained_len(&[]).is_ok())
}

fn check_inside<T: Precision>(map: &dyn Transform<T>, x: T) {
    let y = constrain(map, x);
    let (lower, upper) = map.range();
    assert!(T::from_f64(lower) < y && y < T::from_f64(upper), "{y:?}");
    let back = unconstrain(map, y).unwrap();
    assert!(back.is_finite(), "{y:?}");
}

fn check_monotone<T: Precision>(map: &dyn Transform<T>, increasing: bool, a: T, b: T) {
    let (left, right) = if a < b { (a, b) } else { (b, a) };
    let (low, high) = (constrain(map, left), constrain(map, right));
    let step = high.to_f64() - low.to_f64();
    let step = if increasing { step } else { -step };
    let most = if low.abs() < high.abs() { high } else { low };
    assert!(step >= -slack(map, most), "{low:?} {high:?}");
}

/// Coordinates there and back: what the coordinate's own rounding makes of the value is allowed.
fn check_round_trip<T: Precision>(map: &dyn Scalar<T>, x: T) {
    let y = constrain(map, x);
    let back = unconstrain(map, y).unwrap();
    let again = constrain(map, back);
    let error = (again.to_f64() - y.to_f64()).abs();
    let rounding = 16.0 * T::EPSILON * back.abs().to_f64().max(1.0);
    let slope = map.derivative(back).abs().to_f64();
    let allowed = slack(map, y) + rounding * slope;
    assert!(error <= allowed, "{y:?} {again:?}");
}

fn check_log_derivative<T: Precision>(map: &dyn Scalar<T>, x: T) {
    let derivative = map.derivative(x).abs();
    if derivative >= T::smallest_normal() && derivative.is_finite() {
        let (got, expected) = (map.log_derivative(x).to_f64(), derivative.ln().to_f64());
        assert!((got - expected).abs() <= 8.0 * T::EPSILON * expected.abs().max(1.0));
    }
}

fn check<T: Precision>(map: &dyn Scalar<T>, a: f64, b: f64) {
    let (a, b) = (T::from_f64(a), T::from_f64(b));
    if a.is_finite() && b.is_finite() {
        check_inside(map, a);
        check_monotone(map, map.increasing(), a, b);
        check_round_trip(map, a);
        check_log_derivative(map, a);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn double_precision(map in maps::<f64>(), a in finite(), b in finite()) {
        check(&*map.0, a, b);
    }

    #[test]
    fn single_precision(map in maps::<f32>(), a in finite(), b in finite()) {
        check(&*map.0, a, b);
    }

    #[test]
    fn neighbours_do_not_step_back(map in maps::<f64>(), a in finite()) {
        check_monotone(&*map.0, map.0.increasing(), a, a.next_up());
    }

    #[test]
    fn chains_stay_inside(
        first in maps::<f64>(),
        second in maps::<f64>(),
        a in finite(),
        b in finite(),
    ) {
        let chain = Chain(&*first.0, &*second.0);
        if chain.unconstrained_len(&[]).is_ok() {
            check_inside(&chain, a);
            let increasing = first.0.increasing() == second.0.increasing();
            check_monotone(&chain, increasing, a, b);
        }
    }
}
