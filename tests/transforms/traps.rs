//! Where other libraries lose digits, return infinities or accept what is none.

use paramtree::transform::{
    Affine, Chain, ColumnStochastic, Correlation, Interval, Ordered, Positive, PositiveOrdered,
    RowStochastic, Simplex, SimplexSoftmax, SimplexStickBreaking, SumToZero, SumToZeroMatrix,
    Transform, UnitInterval, UnitVector,
};
use paramtree::{Quantity, Real, Refusal};

use crate::precision::{Precision, assert_close};

fn constrained<T: Precision>(map: &impl Transform<T>, x: &[T], shape: &[usize]) -> Vec<T> {
    let mut y = vec![T::from_f64(f64::NAN); shape.iter().product()];
    map.constrain(x, &mut y, shape);
    y
}

fn unconstrained<T: Precision>(
    map: &impl Transform<T>,
    y: &[T],
    shape: &[usize],
) -> Result<Vec<T>, Refusal> {
    let mut x = vec![T::from_f64(f64::NAN); map.unconstrained_len(shape)?];
    map.unconstrain(y, &mut x, shape)?;
    Ok(x)
}

fn pulled<T: Precision>(map: &impl Transform<T>, x: &[T], y_bar: &[T]) -> Vec<T> {
    let mut x_bar = vec![T::from_f64(f64::NAN); x.len()];
    map.vjp(x, y_bar, &mut x_bar, &[y_bar.len()]);
    x_bar
}

#[test]
fn log_det_of_tanh_at_zero_and_where_it_rounds_to_one() {
    assert_close(Correlation.log_abs_det_jacobian(&[0.0], &[]), 0.0, 0, 0);
    let small = Correlation.log_abs_det_jacobian(&[1e-8_f64], &[]);
    assert_close(small, -1e-16, 2, "never above zero");
    let saturated = Correlation.log_abs_det_jacobian(&[20.0_f64], &[]);
    assert_close(saturated, -38.613_705_638_880_11, 1, 20);
    let single = Correlation.log_abs_det_jacobian(&[20.0_f32], &[]);
    assert_close(single, -38.613_705, 1, 20);
}

#[test]
fn stick_breaking_where_the_first_share_is_all() {
    let map = SimplexStickBreaking;
    let y = constrained(&map, &[40.0, 0.0], &[3]);
    assert_close(y[0], 1.0, 0, "first");
    // exp(-40), as K - 1 = 2 doubles what is left and the two share it.
    assert_close(y[1], 4.248_354_255_291_589e-18, 4, "second");
    assert_close(y[2], 4.248_354_255_291_589e-18, 4, "third");
    let logdet = map.log_abs_det_jacobian(&[40.0_f64, 0.0], &[3]);
    assert!((logdet + 80.0).abs() < 1e-13, "{logdet}");
    let x = unconstrained(&map, &[1.0, 4.2e-18], &[2]).unwrap();
    assert!((x[0] - 40.011_450_0).abs() < 1e-3, "{x:?}");
    assert_close(x[0], -(4.2e-18_f64.ln()), 1, "torch and numpyro give 708.4");
}

#[test]
fn the_simplex_gradient_at_a_vertex() {
    // y = (1, exp(-20 √2)), ln(y₁ / y₀) = -√2 x: the gradient is √2 y₀ y₁ (ȳ₀ - ȳ₁).
    let x = 20.0 * std::f64::consts::SQRT_2;
    let small = (-40.0_f64).exp();
    let x_bar = pulled(&Simplex, &[x], &[1.5, 0.25]);
    let expected = std::f64::consts::SQRT_2 * small * 1.25;
    assert!(
        (x_bar[0] / expected - 1.0).abs() < 1e-14,
        "{x_bar:?}, {expected}"
    );
    let x_bar = pulled(&SimplexSoftmax, &[40.0, 0.0], &[1.5, 0.25, 0.75]);
    let expected = small / (1.0 + 2.0 * small) * 2.0;
    assert!(
        (x_bar[0] / expected - 1.0).abs() < 1e-14,
        "{x_bar:?}, {expected}"
    );
}

#[test]
fn directions_of_tiny_huge_and_no_vectors() {
    let half = 0.5_f64.sqrt();
    for x in [
        [1e-200, 1e-200],
        [1e200, 1e200],
        [5e-324, 5e-324],
        [f64::MAX, f64::MAX],
    ] {
        let y = constrained(&UnitVector, &x, &[2]);
        assert_close(y[0], half, 1, x);
        assert_close(y[1], half, 1, x);
    }
    let x_bar = pulled(&UnitVector, &[1e-200, 0.0], &[3.0, 1.0]);
    assert_close(x_bar[0], 0.0, 0, "along");
    assert_close(x_bar[1], 1e200, 1, "across");

    assert_eq!(constrained(&UnitVector, &[0.0, -0.0], &[2]), [1.0, 0.0]);
    assert_eq!(pulled(&UnitVector, &[0.0, 0.0], &[3.0, 1.0]), [0.0, 0.0]);
    let refusal = unconstrained(&UnitVector, &[0.6, 0.8, 0.0, 0.0], &[2, 2]).unwrap_err();
    assert!(matches!(
        refusal,
        Refusal::Mismatch {
            index: 2,
            quantity: Quantity::Norm,
            ..
        }
    ));
}

#[test]
fn ties_and_decreases_are_refused_with_their_place() {
    let refusal = unconstrained(&Ordered, &[0.0, 1.0, 2.0, 3.0, 5.0, 5.0], &[2, 3]).unwrap_err();
    assert_eq!(
        refusal,
        Refusal::NotIncreasing {
            index: 5,
            value: 5.0,
            previous: 5.0
        }
    );
    let refusal = unconstrained(&PositiveOrdered, &[1.0, 3.0, 0.1 + 0.2], &[3]).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "0.30000000000000004 is not greater than 3 before it"
    );
    let refusal = unconstrained(&PositiveOrdered, &[0.0, 1.0], &[2]).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "0 is outside the open interval (0, inf)"
    );
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(
            unconstrained(&Ordered, &[0.0, bad], &[2])
                .unwrap_err()
                .index(),
            Some(1)
        );
    }
}

#[test]
fn steps_that_round_to_nothing_or_overflow_stay_steps() {
    for x in [
        [1.0, -40.0, -800.0, -800.0],
        [1e300, 0.0, 0.0, 0.0],
        [0.0, 800.0, 800.0, -800.0],
        [f64::MAX, 0.0, 800.0, 0.0],
        [-f64::MAX, f64::MAX, 0.0, 0.0],
    ] {
        let y = constrained(&Ordered, &x, &[4]);
        assert!(y.iter().all(|y| y.is_finite()), "{y:?}");
        assert!(y.is_sorted_by(|a, b| a < b), "{y:?}");
        assert!(
            unconstrained(&Ordered, &y, &[4])
                .unwrap()
                .iter()
                .all(|x| x.is_finite())
        );
        let y = constrained(&PositiveOrdered, &x, &[4]);
        assert!(y[0] > 0.0 && y[3].is_finite(), "{y:?}");
        assert!(unconstrained(&PositiveOrdered, &y, &[4]).is_ok(), "{y:?}");
    }
}

#[test]
fn sums_off_by_rounding_are_taken_and_others_refused() {
    let thirds = [1.0 / 3.0 + 2e-16, 1.0 / 3.0, 1.0 / 3.0];
    assert!(unconstrained(&Simplex, &thirds, &[3]).is_ok());
    assert!(unconstrained(&Simplex, &[0.1_f32; 10], &[10]).is_ok());
    let summed: Vec<f32> = vec![1e-4; 10_000];
    assert!(unconstrained(&SimplexStickBreaking, &summed, &[10_000]).is_ok());

    let refusal = unconstrained(&Simplex, &[0.5, 0.25, 0.251], &[3]).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the sum 1.001 is not 1 within 5.329070518200751e-15"
    );
    let refusal = unconstrained(&Simplex, &[0.25, 0.25, 0.500_000_1], &[3]).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the sum 1.0000000999999998 is not 1 within 5.329070518200751e-15",
        "as a value printed with six digits has it"
    );
    let refusal = unconstrained(&SumToZero, &[1.0, -0.999], &[2]).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the sum 0.0010000000000000009 is not 0 within 3.552713678800501e-15"
    );
    assert!(unconstrained(&SumToZero, &[1e10 + 1e-6, -1e10, 0.0], &[3]).is_ok());
    let y = [1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0];
    let refusal = unconstrained(&SumToZeroMatrix, &y, &[2, 2, 2]).unwrap_err();
    assert_eq!(
        refusal.index(),
        Some(4),
        "the first column of the second matrix"
    );
    let y = [1.0, -1.0, 1.0, -0.5];
    assert_eq!(
        unconstrained(&SumToZeroMatrix, &y, &[2, 2])
            .unwrap_err()
            .index(),
        Some(2)
    );
}

#[test]
fn shares_outside_the_simplex_are_refused_with_their_place() {
    let matrix = [0.5, 0.5, 1.0, 0.5, 0.5, 0.0];
    let refusal = unconstrained(&ColumnStochastic, &matrix, &[2, 3]).unwrap_err();
    assert_eq!(
        refusal,
        Refusal::OutOfDomain {
            index: 5,
            value: 0.0,
            lower: 0.0,
            upper: 1.0
        }
    );
    let refusal = unconstrained(&RowStochastic, &[0.5, 0.5, 0.7, 0.2], &[2, 2]).unwrap_err();
    assert_eq!(refusal.index(), Some(2));
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        let refusal = unconstrained(&SimplexSoftmax, &[0.5, bad, 0.5], &[3]).unwrap_err();
        assert_eq!(refusal.index(), Some(1));
    }
}

#[test]
fn saturated_shares_flatten_to_finite_coordinates() {
    let x = [0.3, -1000.0, 0.7];
    let y = constrained(&SimplexStickBreaking, &x, &[4]);
    assert_close(y[1], 5e-324, 0, "the smallest share");
    let back = unconstrained(&SimplexStickBreaking, &y, &[4]).unwrap();
    assert!(
        (back[0] - 0.3).abs() < 1e-15 && (back[2] - 0.7).abs() < 1e-15,
        "{back:?}"
    );
    assert!(back[1] < -740.0 && back[1].is_finite(), "{back:?}");

    let y = constrained(&SimplexSoftmax, &x, &[4]);
    let back = unconstrained(&SimplexSoftmax, &y, &[4]).unwrap();
    assert!(
        (back[0] - 0.3).abs() < 1e-15 && (back[2] - 0.7).abs() < 1e-15,
        "{back:?}"
    );
    assert!(back[1] < -740.0 && back[1].is_finite(), "{back:?}");

    // Of the others, those before the saturated element have their own digits.
    let y = constrained(&Simplex, &[0.3, -0.2, 2000.0], &[4]);
    let back = unconstrained(&Simplex, &y, &[4]).unwrap();
    assert!(
        (back[0] - 0.3).abs() < 1e-15 && (back[1] + 0.2).abs() < 1e-15,
        "{back:?}"
    );
    assert!(back[2].is_finite(), "{back:?}");

    for x in [
        [f64::MAX, -f64::MAX, f64::MAX],
        [-f64::MAX; 3],
        [f64::MAX; 3],
    ] {
        check_saturated(&Simplex, &x);
        check_saturated(&SimplexSoftmax, &x);
        check_saturated(&SimplexStickBreaking, &x);
        check_saturated(&SumToZero, &x);
        check_saturated(&Chain(Simplex, Affine::new(1, 2)), &x);
    }
}

fn check_saturated(map: &impl Transform<f64>, x: &[f64]) {
    let y = constrained(map, x, &[4]);
    assert!(
        y.iter().all(|y| y.is_finite()),
        "{} {x:?}: {y:?}",
        map.name()
    );
    let back = unconstrained(map, &y, &[4]);
    let back = back.unwrap_or_else(|refusal| panic!("{} {x:?}: {y:?}: {refusal}", map.name()));
    assert!(
        back.iter().all(|x| x.is_finite()),
        "{} {y:?}: {back:?}",
        map.name()
    );
}

#[test]
fn nan_passes() {
    let maps: [&dyn Transform<f64>; 5] = [
        &Simplex,
        &SimplexSoftmax,
        &SimplexStickBreaking,
        &SumToZero,
        &Ordered,
    ];
    for map in maps {
        let mut y = [0.0; 3];
        let len = map.unconstrained_len(&[3]).unwrap();
        map.constrain(&[f64::NAN, 0.5, 0.5][..len], &mut y, &[3]);
        assert!(y.iter().any(|y| y.is_nan()), "{}: {y:?}", map.name());
    }
    assert!(constrained(&UnitVector, &[1.0, f64::NAN], &[2])[1].is_nan());
}

#[test]
fn what_the_second_map_makes_equal_is_kept_apart() {
    let steep = Chain(Ordered, Positive);
    let falling = Chain(Ordered, Affine::new(1e10, -1));
    let twice = Chain(Chain(Ordered, Affine::new(0, -1)), UnitInterval);
    let narrow = Chain(PositiveOrdered, Interval::new(0, 1));
    let maps: [&dyn Transform<f64>; 4] = [&steep, &falling, &twice, &narrow];
    for map in maps {
        for x in [
            [0.0, -40.0, -40.0],
            [800.0, 0.0, 0.0],
            [-800.0, 1.0, 7.0],
            [0.1, 0.2, 0.3],
        ] {
            let (mut y, mut back) = ([0.0; 3], [0.0; 3]);
            map.constrain(&x, &mut y, &[3]);
            assert!(
                y.is_sorted_by(|a, b| a < b) || y.is_sorted_by(|a, b| a > b),
                "{y:?}"
            );
            if let Err(refusal) = map.unconstrain(&y, &mut back, &[3]) {
                panic!("{} {x:?}: {y:?}: {refusal}", map.name());
            }
            assert!(back.iter().all(|x| x.is_finite()), "{back:?}");
        }
        let tie = [0.25, 0.5, 0.5].map(|y| map.range().1.min(2.0) * y);
        assert!(
            map.unconstrain(&tie, &mut [0.0; 3], &[3]).is_err(),
            "{}",
            map.name()
        );
    }
}
