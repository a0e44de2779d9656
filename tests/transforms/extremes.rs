//! What saturates, overflows, is NaN, or has parameters that make no transform.

use paramtree::transform::{
    Affine, Chain, Elementwise, Interval, Lower, Positive, Softplus, Transform, UnitInterval, Upper,
};
use paramtree::{Real, Refusal};

use crate::precision::assert_close;
use crate::{constrain, unconstrain};

fn reason<T>(transform: &impl Transform<T>) -> String {
    match transform.unconstrained_len(&[3]) {
        Err(Refusal::Parameter { reason }) => reason.into_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn saturated_values_are_the_last_ones_inside() {
    assert_close(constrain(&Positive, 800.0), f64::MAX, 0, "exp");
    assert_close(constrain(&Positive, -800.0), 5e-324, 0, "exp");
    assert_close(constrain(&Positive, 100.0_f32), f32::MAX, 0, "exp, f32");
    assert_close(constrain(&Softplus, -800.0), 5e-324, 0, "softplus");
    assert_close(
        constrain(&UnitInterval, 800.0),
        1.0_f64.next_down(),
        0,
        "unit interval",
    );
    assert_close(
        constrain(&UnitInterval, 20.0_f32),
        1.0_f32.next_down(),
        0,
        "unit interval, f32",
    );
    assert_close(
        constrain(&Interval::new(3, 10), -800.0),
        3.0_f64.next_up(),
        0,
        "interval",
    );
    assert_close(
        constrain(&Lower::new(1e6), -30.0),
        1e6_f64.next_up(),
        0,
        "lower",
    );
    assert_close(constrain(&Upper::softplus(0), -800.0), -5e-324, 0, "upper");
    assert_close(
        constrain(&Affine::new(0, 2), f64::MAX),
        f64::MAX,
        0,
        "affine",
    );
}

#[test]
fn nan_passes() {
    let transforms: [&dyn Transform<f64>; 9] = [
        &Positive,
        &Softplus,
        &Lower::new(-1),
        &Lower::softplus(-1),
        &Upper::new(1),
        &UnitInterval,
        &Interval::new(-1, 2),
        &Affine::new(1, -2),
        &Chain(UnitInterval, Positive),
    ];
    for transform in transforms {
        let mut y = [0.0; 2];
        transform.constrain(&[f64::NAN, 0.5], &mut y, &[2]);
        assert!(y[0].is_nan() && y[1].is_finite(), "{}", transform.name());
    }
}

#[test]
fn parameters_that_make_no_transform() {
    let lower_first = "the lower bound 2 is not below the upper bound 1";
    assert_eq!(reason::<f64>(&Interval::new(2, 1)), lower_first);
    assert_eq!(
        reason::<f64>(&Interval::new(1, 1)),
        "the lower bound 1 is not below the upper bound 1"
    );
    assert_eq!(
        reason::<f64>(&Interval::new(f64::NAN, 1)),
        "the bound NaN is not finite"
    );
    assert_eq!(
        reason::<f64>(&Interval::new(0, f64::INFINITY)),
        "the bound inf is not finite"
    );
    assert_eq!(
        reason::<f64>(&Lower::new(f64::NEG_INFINITY)),
        "the bound -inf is not finite"
    );
    assert_eq!(
        reason::<f64>(&Upper::softplus(f64::NAN)),
        "the bound NaN is not finite"
    );
    assert_eq!(
        reason::<f64>(&Affine::new(0, 0)),
        "the scale 0 is not finite and nonzero"
    );
    assert_eq!(
        reason::<f64>(&Affine::new(0, f64::NAN)),
        "the scale NaN is not finite and nonzero"
    );
    assert_eq!(
        reason::<f64>(&Affine::new(f64::INFINITY, 1)),
        "the location inf is not finite"
    );
    assert_eq!(
        reason::<f64>(&Chain(Positive, Interval::new(2, 1))),
        lower_first
    );
    assert_eq!(
        reason::<f64>(&Chain(Interval::new(2, 1), Positive)),
        lower_first
    );
    assert!(matches!(
        unconstrain(&Interval::new(2, 1), 1.5),
        Err(Refusal::Parameter { .. })
    ));
}

#[test]
fn parameters_that_another_precision_cannot_hold() {
    let narrow = Interval::new(1.0, 1.0 + 1e-10);
    assert_eq!(Transform::<f64>::unconstrained_len(&narrow, &[]), Ok(1));
    assert_eq!(
        reason::<f32>(&narrow),
        "no number of the leaf's type lies between 1 and 1.0000000001"
    );
    assert_eq!(
        reason::<f32>(&Lower::new(1e300)),
        "the bound 1e300 is not finite"
    );
    assert_eq!(
        reason::<f32>(&Affine::new(0, 1e-60)),
        "the scale 1e-60 is not finite and nonzero"
    );
    assert_eq!(
        reason::<f64>(&Affine::new(1e300, 1e-300)),
        "no number of the leaf's type lies between 1e300 and 1e300"
    );
}

#[test]
fn bounds_are_those_of_the_precision() {
    let bound = 0.1_f32;
    let refusal = unconstrain(&Interval::new(0.1, 0.3), bound).unwrap_err();
    let Refusal::OutOfDomain { lower, upper, .. } = refusal else {
        panic!("{refusal:?}");
    };
    assert_eq!((lower, upper), (f64::from(bound), f64::from(0.3_f32)));
    assert!(
        unconstrain(&Interval::new(0.1, 0.3), bound.next_up())
            .unwrap()
            .is_finite()
    );
}

#[test]
fn differences_that_overflow() {
    let wide = Interval::new(-f64::MAX, f64::MAX);
    assert_close(
        constrain(&wide, 1.0),
        0.462_117_157_260_009_76 * f64::MAX,
        2,
        "wide interval",
    );
    assert_close(
        unconstrain(&wide, f64::MAX / 2.0).unwrap(),
        3.0_f64.ln(),
        2,
        "wide interval",
    );

    let low = Lower::new(-1e308);
    assert_close(
        constrain(&low, 710.0),
        1.233_994_766_161_711_1e308,
        4,
        "lower",
    );
    assert_close(
        unconstrain(&low, f64::MAX).unwrap(),
        710.225_003_839_365,
        1,
        "lower",
    );
    assert_close(
        unconstrain(&Lower::softplus(-1e308), 7e307).unwrap(),
        1.7e308,
        0,
        "softplus",
    );
    assert!(
        unconstrain(&Lower::softplus(-1e308), f64::MAX).is_err(),
        "no finite coordinate"
    );

    let far = Affine::new(-1e308, 2);
    assert_close(constrain(&far, 1e308), 1e308, 0, "affine");
    assert_close(unconstrain(&far, 1e308).unwrap(), 1e308, 0, "affine");
    assert!(
        unconstrain(&Affine::new(0, 1e-300), 1e300).is_err(),
        "no finite coordinate"
    );
}

#[test]
fn underflow_that_a_wide_interval_undoes() {
    let wide = Interval::new(0.0, 1e308);
    let expected = 3.667_874_584_177_687e-40;
    assert_close(constrain(&wide, -800.0), expected, 4, "1e308 exp(-800)");
    let mut x_bar = [0.0];
    wide.vjp(&[-800.0], &[1.0], &mut x_bar, &[]);
    assert_close(x_bar[0], expected, 4, "its derivative");
}

#[test]
fn an_inverse_without_a_finite_coordinate_is_refused() {
    struct Careless;
    impl<T: Real> Elementwise<T> for Careless {
        fn domain(&self) -> (f64, f64) {
            (-1.0, f64::INFINITY)
        }
        fn value(&self, x: T) -> T {
            x.exp()
        }
        fn inverse(&self, y: T) -> T {
            y.ln()
        }
        fn derivative(&self, x: T) -> T {
            x.exp()
        }
        fn log_derivative(&self, x: T) -> T {
            x
        }
        fn log_derivative_slope(&self, _x: T) -> T {
            T::from_f64(1.0)
        }
    }
    let refusal = unconstrain(&Careless, 0.0).unwrap_err();
    assert_eq!(
        refusal,
        Refusal::NoCoordinate {
            index: 0,
            value: 0.0
        }
    );
    assert_eq!(
        refusal.to_string(),
        "0 has no finite unconstrained coordinate"
    );
    assert_eq!(Transform::<f64>::name(&Careless), "Careless");
}

#[test]
fn names_for_tables() {
    let name = |transform: &dyn Transform<f32>| transform.name();
    assert_eq!(name(&Positive), "Positive");
    assert_eq!(name(&Lower::new(2)), "Lower(2)");
    assert_eq!(name(&Lower::softplus(2.5)), "Lower(2.5, softplus)");
    assert_eq!(name(&Upper::new(-1e-300)), "Upper(-1e-300)");
    assert_eq!(name(&Interval::new(0, 1)), "Interval(0, 1)");
    assert_eq!(name(&Interval::new(-1e308, 1e17)), "Interval(-1e308, 1e17)");
    assert_eq!(
        name(&Chain(Positive, Affine::new(1, 2))),
        "Chain(Positive, Affine(1, 2))"
    );
    assert_eq!(name(&&UnitInterval), "UnitInterval");
}
