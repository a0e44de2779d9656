//! Single precision against double: each formula at many more points than there are references.

use paramtree::Real;
use paramtree::transform::{
    Elementwise, Interval, Lower, Positive, Softplus, Transform, UnitInterval,
};
use proptest::prelude::*;

use crate::precision::assert_close;

fn check(map: &(impl Elementwise<f32> + Elementwise<f64>), x: f32) {
    let wide = f64::from(x);
    let name = Elementwise::<f32>::name(map);
    assert_close(
        map.value(x),
        f32::from_f64(map.value(wide)),
        4,
        (&name, x, "value"),
    );
    let (derivative, expected) = (map.derivative(x), map.derivative(wide));
    assert_close(
        derivative,
        f32::from_f64(expected),
        4,
        (&name, x, "derivative"),
    );
    check_epsilons(
        map.log_derivative(x),
        map.log_derivative(wide),
        (&name, x, "log-det"),
    );
    let slope = map.log_derivative_slope(x);
    check_epsilons(slope, map.log_derivative_slope(wide), (&name, x, "slope"));
}

fn check_epsilons(got: f32, expected: f64, what: (&str, f32, &str)) {
    let error = (f64::from(got) - expected).abs() / f64::from(f32::EPSILON);
    assert!(
        error <= 4.0 * expected.abs().max(1.0),
        "{what:?}: {got} is not {expected}"
    );
}

fn check_inverse(map: &(impl Elementwise<f32> + Elementwise<f64>), y: f32) {
    let (got, expected) = (f64::from(map.inverse(y)), map.inverse(f64::from(y)));
    let error = (got - expected).abs() / f64::from(f32::EPSILON);
    assert!(
        error <= 16.0 * expected.abs().max(1.0),
        "{y}: {got} is not {expected}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn formulas_agree(x in prop_oneof![-110.0_f32..110.0, -2.0_f32..2.0]) {
        check(&Positive, x);
        check(&Softplus, x);
        check(&Lower::new(0.5), x);
        check(&Lower::softplus(3), x);
        check(&UnitInterval, x);
        check(&Interval::new(0, 1), x);
        check(&Interval::new(3, 10), x);
        check(&Interval::new(-1, -0.125), x);
    }

    #[test]
    fn inverses_agree(y in prop_oneof![f32::MIN_POSITIVE..2.0, 0.0_f32..f32::MAX]) {
        prop_assume!(y > 0.0);
        check_inverse(&Positive, y);
        check_inverse(&Softplus, y);
        if y < 1.0 {
            check_inverse(&UnitInterval, y);
            check_inverse(&Interval::new(0, 1), y);
        }
    }
}

#[test]
fn a_long_sum_keeps_its_digits() {
    let x = vec![0.1_f32; 1_000_001];
    let sum = Positive.log_abs_det_jacobian(&x, &[x.len()]);
    let exact = f64::from(0.1_f32) * 1_000_001.0;
    assert!((f64::from(sum) / exact - 1.0).abs() < 1e-6, "{sum}");
}
