//! Which shapes a map of vectors or matrices takes, and what it says of itself.

use paramtree::transform::{
    Affine, Chain, ColumnStochastic, Correlation, Ordered, Positive, PositiveOrdered,
    RowStochastic, Simplex, SumToZero, SumToZeroMatrix, Transform, UnitVector,
};

#[test]
fn shapes_that_values_cannot_have() {
    let reason = |map: &dyn Transform<f64>, shape: &[usize]| {
        map.unconstrained_len(shape).unwrap_err().to_string()
    };
    assert_eq!(
        reason(&Ordered, &[]),
        "the transform maps a vector, and the shape is []"
    );
    assert_eq!(
        reason(&RowStochastic, &[3]),
        "the transform maps a matrix, and the shape is [3]"
    );
    assert_eq!(
        reason(&Simplex, &[2, 0]),
        "a simplex has at least one element, and the shape is [0]"
    );
    assert_eq!(
        reason(&UnitVector, &[0]),
        "a direction has at least one element, and the shape is [0]"
    );
    for (map, shape, len) in [
        (&Ordered as &dyn Transform<f64>, &[0][..], 0),
        (&SumToZero, &[0], 0),
        (&SumToZero, &[1], 0),
        (&Simplex, &[1], 0),
        (&Simplex, &[0, 3], 0),
        (&Simplex, &[2, 3, 4], 18),
        (&RowStochastic, &[3, 4], 9),
        (&ColumnStochastic, &[3, 4], 8),
        (&SumToZeroMatrix, &[5, 3, 4], 30),
        (&SumToZeroMatrix, &[1, 4], 0),
        (&Chain(Simplex, Affine::new(0, 2)), &[3], 2),
    ] {
        assert_eq!(
            map.unconstrained_len(shape),
            Ok(len),
            "{} {shape:?}",
            map.name()
        );
        let (mut x, mut y) = (vec![0.3; len], vec![0.0; shape.iter().product()]);
        map.constrain(&x, &mut y, shape);
        map.unconstrain(&y, &mut x, shape).unwrap();
        assert!(x.iter().all(|x| (x - 0.3).abs() < 1e-15), "{x:?}");
        let logdet = map.log_abs_det_jacobian(&x, shape);
        assert!(logdet.is_finite(), "{}", map.name());
        map.vjp(&x, &y, &mut vec![0.0; len], shape);
        map.add_log_abs_det_jacobian_grad(&x, &mut vec![0.0; len], shape);
    }
}

#[test]
fn ranks_and_ranges() {
    let rank = |map: &dyn Transform<f64>| map.event_rank();
    assert_eq!(rank(&Correlation), 0);
    assert_eq!(rank(&Simplex), 1);
    assert_eq!(rank(&SumToZeroMatrix), 2);
    assert_eq!(rank(&Chain(Chain(Ordered, Positive), Affine::new(0, 2))), 1);
    let range = |map: &dyn Transform<f32>| map.range();
    assert_eq!(range(&Correlation), (-1.0, 1.0));
    assert_eq!(range(&PositiveOrdered), (0.0, f64::INFINITY));
    assert_eq!(
        range(&Chain(PositiveOrdered, Affine::new(1, -2))),
        (f64::NEG_INFINITY, 1.0)
    );
    assert_eq!(
        range(&Chain(Chain(PositiveOrdered, Affine::new(1, -2)), Positive)),
        (0.0, f64::from(1.0_f32.exp()))
    );
}
