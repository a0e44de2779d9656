//! One point, seen from each component.

use std::f64::consts::TAU;

use ndarray::{Array1, Array2, ArrayRef1};

use crate::model::Mixture;
use crate::triangular;

/// A mixture made ready to look at many points, and what it saw of the last.
pub(crate) struct Components {
    centres: Array2<f64>,
    /// The Cholesky factor of the covariance, A.
    root: Array2<f64>,
    /// The logarithm of each component's density at its own centre, times its weight.
    heights: Array1<f64>,
    whitened: Array2<f64>,
    shares: Array1<f64>,
}

impl Components {
    pub(crate) fn new(mixture: &Mixture) -> Self {
        let (centres, root) = (mixture.centres(), mixture.spread.root());
        let normaliser: f64 = root.diag().iter().map(|a| 0.5 * TAU.ln() + a.ln()).sum();
        Self {
            heights: mixture.weights.ln() - normaliser,
            whitened: Array2::zeros(centres.dim()),
            shares: Array1::zeros(centres.nrows()),
            centres,
            root,
        }
    }

    /// The logarithm of the mixture's density at a point.
    pub(crate) fn log_density(&mut self, point: &ArrayRef1<f64>) -> f64 {
        self.whitened.assign(point);
        self.whitened -= &self.centres;
        self.shares.assign(&self.heights);
        for (mut z, log) in self.whitened.rows_mut().into_iter().zip(&mut self.shares) {
            triangular::solve(&self.root, &mut z);
            *log -= 0.5 * z.dot(&z);
        }
        // The largest is taken out first, so that no sum of exponentials is zero.
        let largest = self.shares.fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        self.shares.mapv_inplace(|log| (log - largest).exp());
        let sum = self.shares.sum();
        self.shares /= sum;
        largest + sum.ln()
    }

    /// How probable it is that the point came from each component.
    pub(crate) fn shares(&self) -> &Array1<f64> {
        &self.shares
    }

    /// A⁻¹ (point - centre), a row for each component.
    pub(crate) fn whitened(&self) -> &Array2<f64> {
        &self.whitened
    }

    pub(crate) fn root(&self) -> &Array2<f64> {
        &self.root
    }
}
