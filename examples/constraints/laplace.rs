//! How sure the fit is: the posterior as a Gaussian around its mode.

use std::error::Error;

use faer::linalg::solvers::Llt;
use faer::prelude::Solve;
use faer::{Col, Mat, Side};

use crate::differences;
use crate::model::Mixture;
use crate::posterior::Posterior;
use crate::quantity::Quantity;

pub(crate) struct Laplace<'a> {
    posterior: &'a Posterior<'a>,
    mode: &'a [f64],
    mixture: Mixture,
    /// Minus the second derivatives of the log-density, factored.
    curvature: Llt<f64>,
}

impl<'a> Laplace<'a> {
    /// Fails where the density has no peak.
    pub(crate) fn new(
        posterior: &'a Posterior<'a>,
        mode: &'a [f64],
    ) -> Result<Self, Box<dyn Error>> {
        let mut curvature = Mat::zeros(mode.len(), mode.len());
        for column in 0..mode.len() {
            let slopes = differences::along(column, mode, |x| Ok(posterior.at(x)?.gradient))?;
            for (row, slope) in slopes.into_iter().enumerate() {
                curvature[(row, column)] = -slope;
            }
        }
        Ok(Self {
            posterior,
            mode,
            mixture: posterior.mixture(mode)?,
            curvature: curvature
                .llt(Side::Lower)
                .map_err(|error| format!("no peak: {error:?}"))?,
        })
    }

    /// The standard deviation of a quantity, by the delta method: what it changes along each
    /// coordinate is its gradient pulled back, as a loss's would be.
    pub(crate) fn deviation(&self, quantity: &Quantity) -> Result<f64, Box<dyn Error>> {
        let mut slopes = vec![0.0; self.mode.len()];
        self.posterior.layout().pullback_into(
            &self.mixture,
            self.mode,
            &quantity.gradient,
            &mut slopes,
        )?;
        let slopes = Col::from_iter(slopes);
        let variance = slopes.transpose() * self.curvature.solve(&slopes);
        Ok(variance.sqrt())
    }
}
