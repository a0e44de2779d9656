//! Traps of matrices that other libraries have fallen into, and what is refused and why.

use std::f64::consts::{LN_2, PI};

use ndarray::{arr2, aview2};
use paramtree::Refusal;
use paramtree::transform::{
    CholeskyCorr, CholeskyCov, CorrMatrix, CovMatrix, LowerTriangular, Orthogonal, SkewSymmetric,
    Symmetric, Transform,
};

use crate::precision::Precision;

fn constrain<T: Precision>(map: &impl Transform<T>, x: &[T], n: usize) -> Vec<T> {
    let mut y = vec![T::from_f64(f64::NAN); n * n];
    map.constrain(x, &mut y, &[n, n]);
    y
}

fn unconstrain<T: Precision>(
    map: &impl Transform<T>,
    y: &[T],
    n: usize,
) -> Result<Vec<T>, Refusal> {
    let len = map.unconstrained_len(&[n, n])?;
    let mut x = vec![T::from_f64(7.0); len];
    map.unconstrain(y, &mut x, &[n, n])?;
    Ok(x)
}

/// The largest difference of coordinates there and back, in epsilons of max(1, |x|).
fn round_trip<T: Precision>(map: &impl Transform<T>, x: &[T], n: usize) -> f64 {
    let back = unconstrain(map, &constrain(map, x, n), n).unwrap();
    let errors = x.iter().zip(&back).map(|(x, back)| {
        let (x, back) = (x.to_f64(), back.to_f64());
        (x - back).abs() / x.abs().max(1.0) / T::EPSILON
    });
    errors.fold(0.0, f64::max)
}

/// Uniform in (-1, 1), the same each time.
fn noise(len: usize) -> Vec<f64> {
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        f64::from((state >> 32) as u32) / 2.0_f64.powi(31) - 1.0
    };
    (0..len).map(|_| next()).collect()
}

fn narrow<T: Precision>(x: &[f64], scale: f64) -> Vec<T> {
    x.iter().map(|x| T::from_f64(scale * x)).collect()
}

/// stan-dev/math#3218, pytorch#48041: 1 - Σ L² rounds to zero or below.
fn check_diagonals<T: Precision>(n: usize, scale: f64) {
    let x: Vec<T> = narrow(&noise(n * (n - 1) / 2), scale);
    let y = constrain(&CholeskyCorr, &x, n);
    let zero = T::from_f64(0.0);
    assert!((0..n).all(|i| y[i * n + i] > zero), "K = {n}");
    let lost = (0..n).filter(|i| {
        let sum = y[i * n..i * n + i]
            .iter()
            .fold(T::from_f64(1.0), |sum, &y| sum - y * y);
        sum <= zero
    });
    assert!(lost.count() > 0, "these rows would have lost it");
    let logdet = CholeskyCorr.log_abs_det_jacobian(&x, &[n, n]);
    assert!(logdet.is_finite());
    let error = round_trip(&CholeskyCorr, &x, n);
    assert!(error < 64.0, "{error} eps at K = {n}");
}

#[test]
fn long_rows_of_a_correlation_factor_keep_their_diagonal() {
    check_diagonals::<f64>(40, 2.0);
    check_diagonals::<f32>(30, 2.0);
    check_diagonals::<f64>(200, 2.0);
}

#[test]
fn a_long_correlation_matrix_is_taken_back() {
    for scale in [0.3, 2.0, 40.0] {
        let x = narrow(&noise(780), scale);
        let y = constrain::<f64>(&CorrMatrix, &x, 40);
        let back = unconstrain(&CorrMatrix, &y, 40).unwrap();
        let again = constrain(&CorrMatrix, &back, 40);
        let error = y.iter().zip(again).map(|(y, again)| (y - again).abs());
        assert!(error.fold(0.0, f64::max) < 1e-12, "scale {scale}");
    }
}

/// Stan, numpyro and torch come back to 7.9997.
#[test]
fn saturated_correlations_come_back() {
    for n in 2..6 {
        let x = vec![8.0; n * (n - 1) / 2];
        assert!(round_trip(&CholeskyCorr, &x, n) <= 2.0);
    }
    assert!(round_trip(&CholeskyCorr, &[20.0, -20.0, 20.0], 3) <= 2.0);
    assert!(round_trip(&CholeskyCorr, &[40.0], 2) <= 2.0);
    assert!(round_trip(&CholeskyCorr, &[8.0_f32; 3], 3) <= 2.0);
}

/// Stan gives -inf and NaN, and at [8; 6] -116.909674.
#[test]
fn the_log_det_of_saturated_correlations() {
    let logdet: f64 = CholeskyCorr.log_abs_det_jacobian(&[20.0], &[2, 2]);
    assert!((logdet + 2.0 * (20.0 - LN_2)).abs() < 1e-14, "{logdet}");
    let logdet: f64 = CholeskyCorr.log_abs_det_jacobian(&[8.0; 6], &[4, 4]);
    assert!((logdet + 116.909_647).abs() < 1e-6, "{logdet}");
    let logdet: f64 = CorrMatrix.log_abs_det_jacobian(&[400.0], &[2, 2]);
    assert!((logdet + 2.0 * (400.0 - LN_2)).abs() < 1e-12, "{logdet}");
    let (mut grad, mut x_bar) = ([0.0_f64; 3], [f64::NAN; 3]);
    CholeskyCorr.add_log_abs_det_jacobian_grad(&[20.0, 800.0, -20.0], &mut grad, &[3, 3]);
    let expected = [-2.0, -3.0, 2.0];
    assert!(
        grad.iter()
            .zip(expected)
            .all(|(grad, expected)| grad.to_bits() == f64::to_bits(expected))
    );
    CholeskyCorr.vjp(&[20.0, 800.0, -20.0], &[1.0; 9], &mut x_bar, &[3, 3]);
    assert!(x_bar.iter().all(|x_bar| x_bar.is_finite()));
}

#[test]
fn the_diagonal_of_a_correlation_matrix_is_one() {
    let y = constrain(&CorrMatrix, &narrow::<f64>(&noise(28), 3.0), 8);
    assert!((0..8).all(|i| y[i * 9].to_bits() == 1.0_f64.to_bits()));
    assert!(
        (0..64).all(|k| y[k].to_bits() == y[k % 8 * 8 + k / 8].to_bits()),
        "symmetric"
    );
}

/// The factor of a matrix with nearly no pivot left, to the last digit of the matrix as it stands.
#[test]
fn a_nearly_singular_covariance_is_factored_exactly() {
    let rest = 2.0_f64.powi(-50);
    let x = unconstrain(&CovMatrix, &[1.0, 1.0, 1.0, 1.0 + rest], 2).unwrap();
    assert!((x[2] - 0.5 * rest.ln()).abs() < 1e-14, "{x:?}");
    // Where factoring row by row has lost half of the digits.
    let mut hilbert = [0.0; 64];
    for (k, entry) in hilbert.iter_mut().enumerate() {
        *entry = 1.0 / f64::from(u8::try_from(k / 8 + k % 8 + 1).unwrap());
    }
    let x = unconstrain(&CovMatrix, &hilbert, 8).unwrap();
    let y = constrain(&CovMatrix, &x, 8);
    let error = y.iter().zip(hilbert).map(|(y, entry)| (y - entry).abs());
    assert!(error.fold(0.0, f64::max) < 1e-15);
}

#[test]
fn huge_and_tiny_scales_of_a_covariance() {
    for x in [
        [800.0, 1.0, -800.0],
        [1e300, -1e300, 1e300],
        [-400.0, 1e200, 0.0],
    ] {
        let y: Vec<f64> = constrain(&CovMatrix, &x, 2);
        let back = unconstrain(&CovMatrix, &y, 2).unwrap();
        assert!(
            y.iter().chain(&back).all(|it: &f64| it.is_finite()),
            "{x:?}: {y:?}: {back:?}"
        );
    }
}

#[test]
fn orthogonal_at_the_edge() {
    let maps = [Orthogonal::cayley(), Orthogonal::exp()];
    for map in maps {
        for scale in [3.0, 1e3, 1e6, 1e9, 1e15, 1e100, 1e300] {
            for n in [2, 3, 4, 5] {
                let x: Vec<f64> = narrow(&noise(n * (n - 1) / 2), scale);
                let y = constrain(&map, &x, n);
                let back = unconstrain(&map, &y, n).unwrap();
                let again = constrain(&map, &back, n);
                let error = y.iter().zip(again).map(|(y, again)| (y - again).abs());
                assert!(error.fold(0.0, f64::max) < 1e-14, "{map:?} {scale} {n}");
                let logdet = map.log_abs_det_jacobian(&x, &[n, n]);
                assert!(logdet.is_finite(), "{map:?} {scale} {n}");
            }
        }
    }
}

#[test]
fn half_turns() {
    // A plane that turns by π is stored next to it.
    let y = constrain(&Orthogonal::exp(), &[PI], 2);
    let back = unconstrain(&Orthogonal::exp(), &y, 2).unwrap();
    assert!((back[0].abs() - PI).abs() < 1e-12, "{back:?}");
    // Exactly there, no coordinates are near.
    let refusal = unconstrain(&Orthogonal::cayley(), &[-1.0, 0.0, 0.0, -1.0], 2).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the distance of the rotation from a half turn or a reflection 0 is not above \
         3.552713678800501e-15"
    );
    // Next to there, all digits are.
    let y = constrain(&Orthogonal::exp(), &[PI - 1e-9, 0.0, 0.0, 0.0, 0.0, 0.5], 4);
    let back = unconstrain(&Orthogonal::exp(), &y, 4).unwrap();
    assert!((back[0] - (PI - 1e-9)).abs() < 1e-15, "{back:?}");
    assert!((back[5] - 0.5).abs() < 1e-15, "{back:?}");
}

/// geotorch#4, #23: exp reaches rotations only, and the initial value was ignored.
#[test]
fn a_base_brings_its_determinant() {
    const REFLECTION: [[f64; 2]; 2] = [[0.6, 0.8], [0.8, -0.6]];
    let flat = REFLECTION.concat();
    let around = Orthogonal::exp_around(aview2(&REFLECTION));
    assert!(unconstrain(&Orthogonal::exp(), &flat, 2).is_err());
    assert_eq!(constrain(&around, &[0.0], 2), flat);
    assert!(unconstrain(&around, &flat, 2).unwrap()[0].abs() < 1e-15);
    assert!(round_trip(&around, &[0.7], 2) < 4.0);
    let around = Orthogonal::cayley_around(arr2(&REFLECTION));
    assert!(round_trip(&around, &[0.7_f32], 2) < 4.0);
    let (x, shape) = ([0.7], [2, 2]);
    let logdet: f64 = around.log_abs_det_jacobian(&x, &shape);
    assert!((logdet - Orthogonal::cayley().log_abs_det_jacobian(&x, &shape)).abs() < 1e-15);
}

#[test]
fn a_base_that_is_none() {
    let len = |map: &Orthogonal<'_>| Transform::<f64>::unconstrained_len(map, &[2, 2]);
    let map = Orthogonal::exp_around(arr2(&[[1.0, 0.0], [0.0, 1.5]]));
    assert_eq!(
        len(&map).unwrap_err().to_string(),
        "the base is not orthogonal: the squared norm 2.25 is not 1 within \
         3.552713678800501e-15"
    );
    let map = Orthogonal::exp_around(arr2(&[[f64::NAN, 0.0], [0.0, 1.0]]));
    assert!(len(&map).is_err());
}

/// What is refused, where, and in which words.
fn check_refused(map: &dyn Transform<f64>, y: &[f64], index: usize, expected: &str) {
    let shape = [1, 2, 2];
    let mut x = vec![7.0; map.unconstrained_len(&shape).unwrap()];
    let refusal = map.unconstrain(y, &mut x, &shape).unwrap_err();
    assert_eq!(refusal.to_string(), expected, "{}", map.name());
    assert_eq!(refusal.index(), Some(index), "{}", map.name());
    assert!(x.iter().all(|x| x.to_bits() == 7.0_f64.to_bits()));
}

#[test]
fn asymmetric() {
    let eps = f64::EPSILON;
    for map in [&Symmetric as &dyn Transform<f64>, &CovMatrix] {
        let said = "the entry above the diagonal 0.25 is not 0 within 3.552713678800501e-15";
        check_refused(map, &[1.0, 0.25, 0.0, 1.0], 1, said);
        let mut x = [0.0; 3];
        map.unconstrain(&[1.0, 0.5 + 8.0 * eps, 0.5, 1.0], &mut x, &[2, 2])
            .unwrap();
        map.unconstrain(&[1.0, 0.5 + 32.0 * eps, 0.5, 1.0], &mut x, &[2, 2])
            .unwrap_err();
    }
    let said = "the entry above the diagonal 2 is not -1 within 7.105427357601002e-15";
    check_refused(&SkewSymmetric, &[0.0, 2.0, 1.0, 0.0], 1, said);
    let said = "the diagonal entry 0.5 is not 0 within 3.552713678800501e-15";
    check_refused(&SkewSymmetric, &[0.0, 1.0, -1.0, 0.5], 3, said);
}

#[test]
fn entries_above_the_diagonal() {
    let said = "the entry above the diagonal 0.5 is not 0 within 0";
    let maps: [&dyn Transform<f64>; 3] = [&LowerTriangular, &CholeskyCov::new(), &CholeskyCorr];
    for map in maps {
        check_refused(map, &[1.0, 0.5, 0.0, 1.0], 1, said);
    }
}

#[test]
fn indefinite_and_singular() {
    for map in [&CovMatrix as &dyn Transform<f64>, &CorrMatrix] {
        let tolerance = "is not above 4.440892098500626e-16";
        let said = format!("the pivot of a positive definite matrix 0 {tolerance}");
        check_refused(map, &[1.0; 4], 3, &said);
        let said = format!("the pivot of a positive definite matrix -3 {tolerance}");
        check_refused(map, &[1.0, 2.0, 2.0, 1.0], 3, &said);
    }
    let said = "-1 is outside the open interval (0, inf)";
    check_refused(&CovMatrix, &[1.0, 0.0, 0.0, -1.0], 3, said);
    check_refused(&CholeskyCov::softplus(), &[1.0, 0.0, 0.0, -1.0], 3, said);
    check_refused(&CholeskyCorr, &[1.0, 0.0, 0.0, -1.0], 3, said);
    // The correlations of three variables cannot all be -0.9.
    let y = [1.0, -0.9, -0.9, -0.9, 1.0, -0.9, -0.9, -0.9, 1.0];
    assert!(matches!(
        unconstrain(&CorrMatrix, &y, 3),
        Err(Refusal::NotAbove { index: 8, value, .. }) if value < 0.0
    ));
}

#[test]
fn lengths_that_are_not_one() {
    let said = "the squared norm 4 is not 1 within 3.552713678800501e-15";
    check_refused(&CholeskyCorr, &[2.0, 0.0, 0.0, 2.0], 0, said);
    let wider = said.replace("3.552713678800501e-15", "7.105427357601002e-15");
    check_refused(&Orthogonal::cayley(), &[1.0, 0.0, 0.0, 2.0], 2, &wider);
    let said = "the product with an earlier row 0.8 is not 0 within 7.105427357601002e-15";
    check_refused(&Orthogonal::exp(), &[1.0, 0.0, 0.8, 0.6], 2, said);
    let said = "the diagonal entry 2 is not 1 within 3.552713678800501e-15";
    check_refused(&CorrMatrix, &[2.0, 0.0, 0.0, 2.0], 0, said);
}

#[test]
fn no_numbers() {
    let maps: [&dyn Transform<f64>; 9] = [
        &LowerTriangular,
        &Symmetric,
        &SkewSymmetric,
        &CholeskyCov::new(),
        &CholeskyCorr,
        &CovMatrix,
        &CorrMatrix,
        &Orthogonal::cayley(),
        &Orthogonal::exp(),
    ];
    for map in maps {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for index in 0..4 {
                let mut y = [1.0, 0.0, 0.0, 1.0];
                y[index] = value;
                let mut x = [7.0; 3];
                let x = &mut x[..map.unconstrained_len(&[2, 2]).unwrap()];
                assert!(map.unconstrain(&y, x, &[2, 2]).is_err(), "{}", map.name());
            }
        }
    }
}

#[test]
fn shapes() {
    let maps: [&dyn Transform<f64>; 6] = [
        &Symmetric,
        &SkewSymmetric,
        &CholeskyCorr,
        &CovMatrix,
        &CorrMatrix,
        &Orthogonal::exp(),
    ];
    for map in maps {
        assert_eq!(map.event_rank(), 2);
        assert!(matches!(
            map.unconstrained_len(&[2, 3]),
            Err(Refusal::Shape { .. })
        ));
        assert!(matches!(
            map.unconstrained_len(&[4]),
            Err(Refusal::Shape { .. })
        ));
        assert_eq!(map.unconstrained_len(&[5, 0, 0]), Ok(0));
        let one = map.unconstrained_len(&[3, 3]).unwrap();
        assert_eq!(map.unconstrained_len(&[2, 5, 3, 3]), Ok(10 * one));
    }
    let len = |shape: &[usize]| Transform::<f64>::unconstrained_len(&CholeskyCov::new(), shape);
    assert!(matches!(len(&[2, 3]), Err(Refusal::Shape { .. })));
    assert_eq!(len(&[3, 2]), Ok(5));
    let len = |shape: &[usize]| Transform::<f64>::unconstrained_len(&LowerTriangular, shape);
    assert_eq!((len(&[2, 3]), len(&[3, 2])), (Ok(3), Ok(5)));
}

#[test]
fn nan_stays_nan() {
    let maps: [&dyn Transform<f64>; 10] = [
        &LowerTriangular,
        &Symmetric,
        &SkewSymmetric,
        &CholeskyCov::new(),
        &CholeskyCov::softplus(),
        &CholeskyCorr,
        &CovMatrix,
        &CorrMatrix,
        &Orthogonal::cayley(),
        &Orthogonal::exp(),
    ];
    for map in maps {
        let mut x = vec![0.5; map.unconstrained_len(&[3, 3]).unwrap()];
        x[1] = f64::NAN;
        let mut y = [0.0; 9];
        map.constrain(&x, &mut y, &[3, 3]);
        assert!(y.iter().any(|y| y.is_nan()), "{}", map.name());
        assert!(map.unconstrain(&y, &mut x, &[3, 3]).is_err());
    }
}
