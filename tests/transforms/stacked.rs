//! What holds for every map of vectors or matrices and every coordinate: stacking commutes, and
//! the way back leads back.

use paramtree::transform::{
    Affine, Chain, ColumnStochastic, Ordered, Positive, PositiveOrdered, RowStochastic, Simplex,
    SimplexSoftmax, SimplexStickBreaking, SumToZero, SumToZeroMatrix, Transform, UnitVector,
};
use proptest::prelude::*;

use crate::precision::Precision;

fn maps<T: Precision>() -> Vec<Box<dyn Transform<T>>> {
    vec![
        Box::new(Ordered),
        Box::new(PositiveOrdered),
        Box::new(Simplex),
        Box::new(SimplexSoftmax),
        Box::new(SimplexStickBreaking),
        Box::new(SumToZero),
        Box::new(SumToZeroMatrix),
        Box::new(UnitVector),
        Box::new(RowStochastic),
        Box::new(ColumnStochastic),
        Box::new(Chain(Ordered, Positive)),
        Box::new(Chain(Simplex, Affine::new(1, -2))),
    ]
}

fn narrow<T: Precision>(values: &[f64], len: usize) -> Vec<T> {
    values
        .iter()
        .cycle()
        .take(len)
        .map(|&x| T::from_f64(x))
        .collect()
}

/// All that a transform gives: values, gradient, gradient of the log-det, coordinates.
fn all<T: Precision>(map: &dyn Transform<T>, x: &[T], y_bar: &[T], shape: &[usize]) -> [Vec<T>; 4] {
    let zero = T::from_f64(0.0);
    let (mut y, mut x_bar) = (vec![zero; y_bar.len()], vec![zero; x.len()]);
    let (mut grad, mut back) = (x_bar.clone(), x_bar.clone());
    map.constrain(x, &mut y, shape);
    map.vjp(x, y_bar, &mut x_bar, shape);
    map.add_log_abs_det_jacobian_grad(x, &mut grad, shape);
    if let Err(refusal) = map.unconstrain(&y, &mut back, shape) {
        panic!("{} of {x:?}: {y:?}: {refusal}", map.name());
    }
    [y, x_bar, grad, back]
}

fn check_stacked<T: Precision>(
    map: &dyn Transform<T>,
    values: &[f64],
    event: &[usize],
    count: usize,
) {
    let shape = [&[count], event].concat();
    let (free, natural) = (
        map.unconstrained_len(event).unwrap(),
        event.iter().product::<usize>(),
    );
    let (x, y_bar) = (
        narrow::<T>(values, count * free),
        narrow::<T>(values, count * natural),
    );
    let stacked = all(map, &x, &y_bar, &shape);
    let mut apart = [vec![], vec![], vec![], vec![]];
    for i in 0..count {
        let (x, y_bar) = (&x[i * free..][..free], &y_bar[i * natural..][..natural]);
        for (all, one) in apart.iter_mut().zip(all(map, x, y_bar, event)) {
            all.extend(one);
        }
    }
    assert_eq!(stacked, apart, "{}", map.name());
}

/// Coordinates there, back and there again: the natural values are the same but for rounding.
fn check_round_trip<T: Precision>(map: &dyn Transform<T>, values: &[f64], shape: &[usize]) {
    let x = narrow::<T>(values, map.unconstrained_len(shape).unwrap());
    let zero = T::from_f64(0.0);
    let mut y = vec![zero; shape.iter().product()];
    let (mut back, mut again) = (x.clone(), y.clone());
    map.constrain(&x, &mut y, shape);
    map.unconstrain(&y, &mut back, shape).unwrap();
    map.constrain(&back, &mut again, shape);
    // Behind an offset the values are differences of numbers of its size.
    let offset = if map.name().contains("Affine") {
        1.0
    } else {
        0.0
    };
    let size = y
        .iter()
        .fold(offset, |size: f64, y| size.max(y.abs().to_f64()));
    for (y, again) in y.iter().zip(&again) {
        let error = (y.to_f64() - again.to_f64()).abs();
        assert!(
            error <= 128.0 * T::EPSILON * size,
            "{} {x:?}: {y:?} {again:?}",
            map.name()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn stack_then_transform_is_transform_then_stack(
        values in prop::collection::vec(-30.0..30.0, 1..40),
        (rows, columns, count) in (1..5_usize, 1..6_usize, 0..4_usize),
    ) {
        for map in maps::<f64>() {
            check_stacked(&*map, &values, &[rows, columns][2 - map.event_rank()..], count);
        }
        for map in maps::<f32>() {
            check_stacked(&*map, &values, &[rows, columns][2 - map.event_rank()..], count);
        }
    }

    #[test]
    fn there_and_back(
        values in prop::collection::vec(-1.5..1.5, 1..40),
        (rows, columns) in (1..5_usize, 1..6_usize),
    ) {
        for map in maps::<f64>() {
            check_round_trip(&*map, &values, &[rows, columns]);
        }
        for map in maps::<f32>() {
            check_round_trip(&*map, &values, &[rows, columns]);
        }
    }

    #[test]
    fn extremes_are_taken_back(
        values in prop::collection::vec(prop_oneof![-1000.0..1000.0, Just(f64::MAX), Just(-f64::MAX)], 1..40),
        (rows, columns) in (1..5_usize, 1..6_usize),
    ) {
        for map in maps::<f64>() {
            let x = narrow(&values, map.unconstrained_len(&[rows, columns]).unwrap());
            let mut y = vec![0.0; rows * columns];
            let mut back = x.clone();
            map.constrain(&x, &mut y, &[rows, columns]);
            prop_assert!(y.iter().all(|y: &f64| y.is_finite()), "{} {x:?}: {y:?}", map.name());
            let taken = map.unconstrain(&y, &mut back, &[rows, columns]);
            prop_assert!(taken.is_ok(), "{} {x:?}: {y:?}: {taken:?}", map.name());
            prop_assert!(back.iter().all(|x| x.is_finite()), "{} {y:?}: {back:?}", map.name());
        }
    }
}
