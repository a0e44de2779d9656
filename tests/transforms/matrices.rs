//! Every reference value of the maps of matrices, and a model of them.
//!
//! `cargo test --test transforms matrices -- --nocapture` prints the worst errors.

use ndarray::{Array2, Array3, array};
use paramtree::transform::{
    CholeskyCorr, CholeskyCov, CorrMatrix, CovMatrix, LowerTriangular, Orthogonal, SkewSymmetric,
    Symmetric,
};
use paramtree::{Error, Layout, Module};

use crate::measure::Digits::{OfEach, OfLargest};
use crate::structured::check;
use crate::table::{Row, measured};

measured! {
    cholesky_cov: check("cholesky_cov", |_| CholeskyCov::new(), OfEach, OfEach);
    cholesky_cov_softplus: check("cholesky_cov_softplus", |_| CholeskyCov::softplus(), OfEach, OfEach);
    cholesky_cov_rectangular: Row {
        transform: "CholeskyCov, rectangular".to_owned(),
        ..check("cholesky_cov_rect", |_| CholeskyCov::new(), OfEach, OfEach)
    };
    cholesky_corr: check("cholesky_corr", |_| CholeskyCorr, OfEach, OfLargest);
    cov_matrix: check("cov_matrix", |_| CovMatrix, OfLargest, OfLargest);
    corr_matrix: check("corr_matrix", |_| CorrMatrix, OfLargest, OfLargest);
    symmetric: check("symmetric", |_| Symmetric, OfEach, OfEach);
    skew_symmetric: check("skew_symmetric", |_| SkewSymmetric, OfEach, OfEach);
    lower_triangular: check("lower_triangular", |_| LowerTriangular, OfEach, OfEach);
    orthogonal_cayley: check("orthogonal_cayley", |_| Orthogonal::cayley(), OfLargest, OfLargest);
    orthogonal_exp: check("orthogonal_expm", |_| Orthogonal::exp(), OfLargest, OfLargest);
}

#[derive(Module, Clone, Debug)]
struct Factors {
    #[param(transform = CorrMatrix)]
    correlations: Array3<f64>,
    #[param(transform = CovMatrix)]
    covariance: Array2<f32>,
    #[param(transform = CholeskyCov::softplus())]
    factor: Array2<f64>,
    #[param(transform = Orthogonal::exp_around(self.base.view()))]
    loadings: Array2<f64>,
    #[frozen]
    base: Array2<f64>,
}

#[test]
fn a_model_goes_there_and_back() -> Result<(), Error> {
    let turned = array![[0.0, 1.0], [1.0, 0.0]];
    let mut model = Factors {
        correlations: array![[[1.0, 0.5], [0.5, 1.0]], [[1.0, -0.25], [-0.25, 1.0]]],
        covariance: array![[2.0, 1.0], [1.0, 2.0]],
        factor: array![[1.0, 0.0], [0.5, 2.0], [-1.0, 3.0]],
        loadings: array![[0.6, 0.8], [0.8, -0.6]],
        base: turned.clone(),
    };
    let layout = Layout::of(&model)?;
    assert_eq!(layout.len(), 2 + 3 + 5 + 1);
    let x: Vec<f64> = layout.flatten(&model)?;
    assert!((x[10] + 0.6_f64.asin()).abs() < 1e-15, "{x:?}");
    let before = model.clone();
    layout.unflatten(&mut model, &x)?;
    let error = &model.correlations - &before.correlations;
    assert!(error.iter().all(|error| error.abs() < 1e-15));
    let error = &model.loadings - &before.loadings;
    assert!(error.iter().all(|error| error.abs() < 1e-15));
    assert!(layout.log_abs_det_jacobian(&model, &x)?.is_finite());

    let mut indefinite = before;
    indefinite.correlations[[1, 0, 1]] = 1.5;
    indefinite.correlations[[1, 1, 0]] = 1.5;
    let refused = layout.flatten::<f64>(&indefinite).unwrap_err().to_string();
    assert!(refused.contains("correlations[1, 1, 1]"), "{refused}");
    assert!(
        refused.contains("the pivot of a positive definite matrix -1.25"),
        "{refused}"
    );
    Ok(())
}
