//! One transform after another.

use paramtree::transform::{
    Affine, Chain, Elementwise, Interval, Positive, Transform, UnitInterval, Upper,
};
use paramtree::{Real, Refusal};

use crate::precision::assert_close;
use crate::{constrain, unconstrain};

fn range<T: Real>(map: &impl Transform<T>) -> (f64, f64) {
    map.range()
}

#[test]
fn the_first_map_is_applied_first() {
    let y = constrain(&Chain(Positive, Affine::new(1, 2)), 0.5);
    assert_close(y, 1.0 + 2.0 * 0.5_f64.exp(), 0, "exp, then affine");
    let y = constrain(&Chain(Affine::new(1, 2), Positive), 0.5);
    assert_close(y, 2.0_f64.exp(), 0, "affine, then exp");
}

#[test]
fn a_longer_chain_stands_on_the_left() {
    let (first, last) = (Affine::new(0.3, 2), Affine::new(-1, 4));
    let chain = Chain(Chain(first, UnitInterval), last);
    assert_eq!(range::<f64>(&chain), (-1.0, 3.0));
    for x in [-3.0_f64, 0.0, 0.7, 5.0] {
        let steps = constrain(&last, constrain(&UnitInterval, constrain(&first, x)));
        assert_close(constrain(&chain, x), steps, 0, x);
        let between = first.value(x);
        let expected = first.log_derivative(x)
            + UnitInterval.log_derivative(between)
            + last.log_derivative(UnitInterval.value(between));
        let got = chain.log_abs_det_jacobian(&[x], &[]);
        assert!((got - expected).abs() <= 4.0 * f64::EPSILON * expected.abs().max(1.0));
    }
}

#[test]
fn the_domain_is_the_image_of_the_first() {
    assert_eq!(
        range::<f64>(&Chain(Positive, Affine::new(1, 2))),
        (1.0, f64::INFINITY)
    );
    assert_eq!(
        range::<f64>(&Chain(Positive, Affine::new(1, -2))),
        (f64::NEG_INFINITY, 1.0)
    );
    assert_eq!(
        range::<f64>(&Chain(Affine::new(1, -2), Positive)),
        (0.0, f64::INFINITY)
    );
    assert_eq!(
        range::<f64>(&Chain(Positive, Upper::new(0))),
        (f64::NEG_INFINITY, -1.0)
    );
    assert_eq!(range::<f64>(&Chain(Positive, UnitInterval)), (0.5, 1.0));
    assert_eq!(
        range::<f64>(&Chain(Interval::new(0, 1000), Positive)),
        (1.0, f64::INFINITY)
    );
    let decreasing = Chain(Upper::new(2), Affine::new(0, -3));
    assert_eq!(range::<f64>(&decreasing), (-6.0, f64::INFINITY));
    assert!(constrain(&decreasing, 0.0_f64) < constrain(&decreasing, 1.0));
}

#[test]
fn what_the_first_cannot_give_is_refused() {
    // 0.25 is in the domain of the second, and its coordinate there is no positive number.
    let refusal = unconstrain(&Chain(Positive, UnitInterval), 0.25).unwrap_err();
    assert_eq!(
        refusal,
        Refusal::OutOfDomain {
            index: 0,
            value: 0.25,
            lower: 0.5,
            upper: 1.0
        }
    );
}

#[test]
fn the_last_numbers_inside_are_taken_back() {
    let steep = Chain(Interval::new(0, 1e6), Affine::new(0, 1e-6));
    let shallow = Chain(UnitInterval, Affine::new(1e6, 1));
    let curved = Chain(UnitInterval, Positive);
    let maps: [&dyn Transform<f64>; 3] = [&steep, &shallow, &curved];
    for map in maps {
        let (lower, upper) = map.range();
        for x in [-800.0, 800.0] {
            let y = constrain(map, x);
            assert!(lower < y && y < upper, "{y} in ({lower}, {upper})");
            assert!(unconstrain(map, y).unwrap().is_finite());
        }
    }
}

#[test]
fn a_steep_first_map_does_not_make_nan() {
    let chain = Chain(Positive, Affine::new(1, 2));
    let mut grad = [0.0];
    chain.add_log_abs_det_jacobian_grad(&[800.0], &mut grad, &[]);
    assert_close(grad[0], 1.0, 0, "zero curvature times an infinite slope");
    let logdet = chain.log_abs_det_jacobian(&[800.0, -800.0], &[2]);
    assert_close(logdet, 2.0 * 2.0_f64.ln(), 600, "log-det");
    let saturated = Chain(Positive, UnitInterval);
    assert!(saturated.log_abs_det_jacobian(&[800.0], &[]).is_finite());
    assert_close(
        constrain(&saturated, 800.0),
        1.0_f64.next_down(),
        0,
        "value",
    );
}
