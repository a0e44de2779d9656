//! Reports against other libraries, at the level of the transform.

use paramtree::Refusal;
use paramtree::transform::{Interval, Positive, Softplus, Transform, UnitInterval};

use crate::precision::assert_close;
use crate::{constrain, unconstrain};

#[test]
fn trf_01_inverse_softplus_at_both_ends() {
    assert_close(
        unconstrain(&Softplus, 1000.0).unwrap(),
        1000.0,
        0,
        "raw of 1000",
    );
    assert_close(
        unconstrain(&Softplus, 100.0_f32).unwrap(),
        100.0,
        0,
        "raw of 100",
    );
    let tiny = unconstrain(&Softplus, 1e-20_f64).unwrap();
    assert!((tiny + 46.051_701_859_880_9).abs() < 1e-12, "{tiny}");

    assert_close(constrain(&Softplus, 1000.0), 1000.0, 2, "1000 again");
    assert_close(constrain(&Softplus, 100.0_f32), 100.0, 2, "100 again");
    assert!((constrain::<f64>(&Softplus, tiny) / 1e-20 - 1.0).abs() < 1e-14);
}

#[test]
fn trf_03_start_value_outside_the_range() {
    for value in [-0.5, 0.0, -0.0, f64::NAN, f64::INFINITY] {
        let refusal = unconstrain(&Positive, value).unwrap_err();
        let shown = refusal.to_string();
        assert!(
            shown.ends_with(" is outside the open interval (0, inf)"),
            "{shown}"
        );
    }
    for value in [1.0, f64::NAN] {
        let mut x = [7.0; 2];
        let refusal = Interval::new(0.0, 1.0)
            .unconstrain(&[0.5, value], &mut x, &[2])
            .unwrap_err();
        assert!(matches!(
            refusal,
            Refusal::OutOfDomain {
                index: 1,
                lower: 0.0,
                upper: 1.0,
                ..
            }
        ));
        assert_close(x[0], 7.0, 0, "nothing is written");
    }
}

#[test]
fn trf_05_interval_with_bounds_of_unlike_size() {
    let interval = Interval::new(-1.0, 1e-7);
    let last = 1e-7_f64.next_down();
    let x = unconstrain(&interval, last).unwrap();
    assert!((x - 52.679_185_822_555_84).abs() < 1e-13, "{x}");
    let again = constrain(&interval, x);
    assert!(-1.0 < again && again < 1e-7);
    assert!(unconstrain(&interval, again).unwrap().is_finite());
    assert!(
        constrain(&interval, 40.0) < 1e-7,
        "where Stan and PyMC leave the interval"
    );
}

#[test]
fn trf_07_monotone_near_the_edge() {
    for (x, expected) in [
        (-30.0_f64, 9.3576e-14_f64),
        (-40.0, 4.2484e-18),
        (-50.0, 1.9287e-22),
    ] {
        for y in [
            constrain(&Interval::new(0.0, 1.0), x),
            constrain(&UnitInterval, x),
        ] {
            assert!((y / expected - 1.0).abs() < 1e-4, "{y} at {x}");
            assert!((y / x.exp() - 1.0).abs() < 1e-6, "{y} at {x}");
        }
    }
}

#[test]
fn trf_13_whole_number_bounds() {
    assert_close(
        unconstrain(&Interval::new(1, 2), 1.5_f32).unwrap(),
        0.0,
        0,
        "f32 leaf",
    );
    assert_close(
        unconstrain(&Interval::new(-3, 4.5), 0.75_f64).unwrap(),
        0.0,
        0,
        "f64 leaf",
    );
}

#[test]
fn trf_17_saturation_is_not_nan() {
    let transforms: [&dyn Transform<f64>; 3] = [&Interval::new(0.0, 1.0), &UnitInterval, &Positive];
    for transform in transforms {
        let (x, mut y, mut back) = ([800.0, 0.3, -800.0], [0.0; 3], [0.0; 3]);
        transform.constrain(&x, &mut y, &[3]);
        transform.unconstrain(&y, &mut back, &[3]).unwrap();
        assert!(back.iter().all(|x| x.is_finite()));
        assert!(
            (back[1] - 0.3).abs() < 1e-15,
            "the neighbour stays where it was"
        );

        let mut x_bar = [f64::NAN; 3];
        transform.vjp(&x, &[0.0; 3], &mut x_bar, &[3]);
        assert!(
            x_bar.iter().all(|x_bar| x_bar.abs() < 1e-300),
            "no gradient stays none"
        );
    }
}
