//! What the record says of a model, and what the model then says of any year.

use std::f64::consts::TAU;

use faer::linalg::cholesky::llt::factor::LltError;
use faer::{Col, ColRef, Mat};

use crate::cholesky::Cholesky;
use crate::model::Model;
use crate::record::Record;

/// What scikit-learn adds to the diagonal beside the noise (its `alpha`); without it the values
/// agree to eight digits only.
const JITTER: f64 = 1e-10;

/// A Gaussian process that has seen the record.
pub(crate) struct Posterior<'a> {
    model: Model,
    record: &'a Record,
    covariance: Cholesky,
    /// The covariance's inverse times the record.
    weights: Col<f64>,
}

/// A mean and a standard deviation for each of some years, ppm.
pub(crate) struct Prediction {
    pub(crate) mean: Vec<f64>,
    pub(crate) deviation: Vec<f64>,
}

impl<'a> Posterior<'a> {
    pub(crate) fn new(model: &Model, record: &'a Record) -> Result<Self, LltError> {
        let mut posterior = Self {
            model: model.clone(),
            record,
            covariance: Cholesky::with_rows(record.len()),
            weights: Col::zeros(record.len()),
        };
        posterior.update()?;
        Ok(posterior)
    }

    pub(crate) fn record(&self) -> &'a Record {
        self.record
    }

    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// To be followed by [`Self::update`].
    pub(crate) fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    /// Follows a change of the model; fails if its covariance is not positive definite in `f64`.
    pub(crate) fn update(&mut self) -> Result<(), LltError> {
        let by_lag: Vec<f64> = self.record.lags().map(|lag| self.model.at(lag)).collect();
        let mut covariance = self.covariance.lower_half();
        for earlier in 0..self.record.len() {
            for later in earlier..self.record.len() {
                covariance[(later, earlier)] = by_lag[self.record.lag(later, earlier)];
            }
            covariance[(earlier, earlier)] += self.model.noise + JITTER;
        }
        self.covariance.factor()?;
        self.weights = self.covariance.solve(&self.record.deviations);
        Ok(())
    }

    pub(crate) fn log_marginal_likelihood(&self) -> f64 {
        let fit = self.weights.transpose() * ColRef::from_slice(&self.record.deviations);
        -0.5 * fit - self.covariance.half_log_det() - 0.5 * self.record.count() * TAU.ln()
    }

    /// The derivative of [`Self::log_marginal_likelihood`] by each hyperparameter, in natural space.
    ///
    /// It is ½ Σ (wwᵀ - K⁻¹) ∘ ∂K. The factors of ∂K at one lag are added up first, so each
    /// kernel is differentiated once a lag and not once a pair.
    pub(crate) fn gradient(&mut self) -> Model {
        let inverse = self.covariance.inverse();
        let mut by_lag = vec![0.0; self.record.lags().count()];
        for earlier in 0..self.record.len() {
            for later in earlier..self.record.len() {
                by_lag[self.record.lag(later, earlier)] +=
                    self.weights[later] * self.weights[earlier] - inverse[(later, earlier)];
            }
        }
        // Only the half below the diagonal was visited: it counts twice, the diagonal once.
        by_lag[0] *= 0.5;

        let mut gradient = Model::default();
        for (lag, weight) in self.record.lags().zip(&by_lag) {
            self.model.add_gradient(lag, *weight, &mut gradient);
        }
        gradient.noise += by_lag[0];
        gradient
    }

    /// What the process whose covariance is `part`, one of the model's or their sum, did and does.
    pub(crate) fn predict(&self, years: &[f64], part: impl Fn(&Model, f64) -> f64) -> Prediction {
        let measured: Vec<f64> = self.record.years().collect();
        let mut cross = Mat::from_fn(measured.len(), years.len(), |row, column| {
            part(&self.model, measured[row] - years[column])
        });
        let mean = cross.transpose() * &self.weights;
        self.covariance.whiten(&mut cross);
        let prior = part(&self.model, 0.0);
        Prediction {
            mean: mean.iter().copied().collect(),
            deviation: cross
                .col_iter()
                .map(|known| (prior - known.squared_norm_l2()).max(0.0).sqrt())
                .collect(),
        }
    }
}
