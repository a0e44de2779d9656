//! What holds for every map of matrices, at every point.

use ndarray::{ArrayView2, aview2};
use paramtree::Real;
use paramtree::transform::{
    CholeskyCorr, CholeskyCov, CorrMatrix, CovMatrix, LowerTriangular, Orthogonal, SkewSymmetric,
    Symmetric, Transform,
};
use proptest::prelude::*;

use crate::dual::Dual;
use crate::precision::Precision;

/// A base of determinant -1.
const REFLECTION: [[f64; 2]; 2] = [[0.6, 0.8], [0.8, -0.6]];

fn maps<T: Real>() -> Vec<Box<dyn Transform<T>>> {
    let base: ArrayView2<'static, f64> = aview2(&REFLECTION);
    vec![
        Box::new(LowerTriangular),
        Box::new(Symmetric),
        Box::new(SkewSymmetric),
        Box::new(CholeskyCov::new()),
        Box::new(CholeskyCov::softplus()),
        Box::new(CholeskyCorr),
        Box::new(CovMatrix),
        Box::new(CorrMatrix),
        Box::new(Orthogonal::cayley()),
        Box::new(Orthogonal::exp()),
        Box::new(Orthogonal::cayley_around(base)),
        Box::new(Orthogonal::exp_around(base)),
    ]
}

fn constrain<T: Precision>(map: &dyn Transform<T>, x: &[T], n: usize) -> Vec<T> {
    let mut y = vec![T::from_f64(f64::NAN); n * n];
    map.constrain(x, &mut y, &[n, n]);
    y
}

/// What the map gives, it takes back, and gives again.
fn check_taken_back<T: Precision>(map: &dyn Transform<T>, x: &[T], n: usize, epsilons: f64) {
    let name = map.name();
    let y = constrain(map, x, n);
    let mut back = x.to_vec();
    if let Err(refusal) = map.unconstrain(&y, &mut back, &[n, n]) {
        panic!("{name} at {x:?}: {refusal}: {y:?}");
    }
    assert!(
        back.iter().all(|x| x.is_finite()),
        "{name} at {x:?}: {back:?}"
    );
    let again = constrain(map, &back, n);
    for index in 0..n * n {
        let (got, expected) = (again[index].to_f64(), y[index].to_f64());
        let size = match name.as_str() {
            // Correlations have their digits, whatever the scales.
            "CovMatrix" => {
                let scale = |i: usize| y[i * n + i].to_f64().sqrt();
                scale(index / n) * scale(index % n)
            }
            _ => expected.abs().max(1.0),
        };
        let error = (got - expected).abs() / size / T::EPSILON;
        assert!(
            error <= epsilons,
            "{name} at {x:?}: {got} is {error} eps from {expected}"
        );
    }
}

/// As many of the numbers as the map takes; none if it has no base for this size.
fn narrow<T: Precision>(map: &dyn Transform<T>, x: &[f64], n: usize) -> Option<Vec<T>> {
    let largest = T::largest().to_f64();
    let len = map.unconstrained_len(&[n, n]).ok()?;
    let x = x[..len]
        .iter()
        .map(|x| T::from_f64(x.clamp(-largest, largest)));
    Some(x.collect())
}

fn check_all<T: Precision>(x: &[f64], n: usize, epsilons: f64) {
    for map in maps::<T>() {
        if let Some(x) = narrow(&*map, x, n) {
            check_taken_back(&*map, &x, n, epsilons);
        }
    }
}

/// Every gradient against the derivative of what it is the gradient of.
fn check_derivatives(x: &[f64], y_bar: &[f64], n: usize) {
    for (map, dual) in maps::<f64>().iter().zip(maps::<Dual>()) {
        let (name, shape) = (map.name(), [n, n]);
        let Some(x) = narrow(&**map, x, n) else {
            continue;
        };
        let y_bar = &y_bar[..n * n];
        let (mut x_bar, mut grad) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        map.vjp(&x, y_bar, &mut x_bar, &shape);
        map.add_log_abs_det_jacobian_grad(&x, &mut grad, &shape);
        for k in 0..x.len() {
            let along = |(i, &x): (usize, &f64)| Dual(x, f64::from(u8::from(i == k)));
            let x: Vec<_> = x.iter().enumerate().map(along).collect();
            let mut y = vec![Dual(f64::NAN, 0.0); n * n];
            dual.constrain(&x, &mut y, &shape);
            let terms = y.iter().zip(y_bar).map(|(y, y_bar)| y.1 * y_bar);
            let size: f64 = terms.clone().map(f64::abs).sum();
            let error = (terms.sum::<f64>() - x_bar[k]).abs() / size.max(1.0);
            assert!(error < 1e-12, "{name}, vjp at {x:?}: {error}");
            let logdet = dual.log_abs_det_jacobian(&x, &shape).1;
            let error = (logdet - grad[k]).abs() / grad[k].abs().max(1.0);
            assert!(
                error < 1e-12,
                "{name}, log-det at {x:?}: {logdet} {}",
                grad[k]
            );
        }
        check_inverse_derivative(&*dual, &x, n);
    }
}

/// The derivative of the coordinates by themselves.
fn check_inverse_derivative(map: &dyn Transform<Dual>, x: &[f64], n: usize) {
    let along = |(&x, slope)| Dual(x, slope);
    let x: Vec<_> = x.iter().zip((1..).map(f64::from)).map(along).collect();
    let mut y = vec![Dual(f64::NAN, 0.0); n * n];
    map.constrain(&x, &mut y, &[n, n]);
    let mut back = vec![Dual(0.0, 0.0); x.len()];
    map.unconstrain(&y, &mut back, &[n, n]).unwrap();
    for (back, x) in back.iter().zip(&x) {
        let error = (back.0 - x.0).abs() + (back.1 - x.1).abs();
        assert!(error < 1e-9, "{} at {x:?}: {back:?}", map.name());
    }
}

/// Coordinates of which some are huge.
fn wild() -> impl Strategy<Value = f64> {
    let sign = prop_oneof![Just(-1.0), Just(1.0)];
    let huge = (sign, -300.0..300.0).prop_map(|(sign, exponent)| sign * 10_f64.powf(exponent));
    prop_oneof![
        4 => -3.0..3.0,
        2 => -40.0..40.0,
        1 => -1000.0..1000.0,
        1 => huge,
        1 => Just(0.0),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn whatever_saturates_is_taken_back(n in 0_usize..7, x in prop::collection::vec(wild(), 21)) {
        check_all::<f64>(&x, n, 4096.0);
        check_all::<f32>(&x, n, 4096.0);
    }

    #[test]
    fn moderate_values_are_taken_back(n in 0_usize..7, x in prop::collection::vec(-1.0..1.0, 21)) {
        check_all::<f64>(&x, n, 64.0);
        check_all::<f32>(&x, n, 64.0);
    }

    #[test]
    fn gradients_are_derivatives(
        n in 0_usize..5,
        x in prop::collection::vec(-0.8..0.8, 10),
        y_bar in prop::collection::vec(-1.0..1.0, 16),
    ) {
        check_derivatives(&x, &y_bar, n);
    }
}

#[test]
fn gradients_are_derivatives_at_zero() {
    check_derivatives(&[0.0; 10], &[1.0; 16], 4);
}
