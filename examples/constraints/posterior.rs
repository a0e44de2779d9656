//! The posterior density over the flat unconstrained vector: where the model meets the optimiser.

use std::fmt;

use ndarray::Array2;
use paramtree::{Error, Layout};

use crate::model::Mixture;
use crate::{likelihood, prior};

pub(crate) struct Posterior<'a> {
    layout: Layout,
    /// Gives the shapes, the transforms and the prior; its trained values are overwritten.
    mixture: Mixture,
    points: &'a Array2<f64>,
}

/// The logarithm of the posterior density at one point, up to a constant, and its gradient.
pub(crate) struct LogDensity {
    pub(crate) likelihood: f64,
    pub(crate) prior: f64,
    /// The logarithm of the Jacobian determinant of the transforms.
    pub(crate) jacobian: f64,
    /// Of the sum of the three, by each unconstrained coordinate.
    pub(crate) gradient: Vec<f64>,
}

impl<'a> Posterior<'a> {
    pub(crate) fn new(mixture: Mixture, points: &'a Array2<f64>) -> Result<Self, Error> {
        Ok(Self {
            layout: Layout::of(&mixture)?,
            mixture,
            points,
        })
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many points there are.
    #[expect(clippy::cast_precision_loss, reason = "points, far below 2^52")]
    pub(crate) fn count(&self) -> f64 {
        self.points.nrows() as f64
    }

    /// The mixture at a point.
    pub(crate) fn mixture(&self, x: &[f64]) -> Result<Mixture, Error> {
        let mut mixture = self.mixture.clone();
        self.layout.unflatten(&mut mixture, x)?;
        Ok(mixture)
    }

    /// The likelihood and the prior know nothing of unconstrained coordinates: both are computed,
    /// and differentiated, in natural space. The layout then takes the gradient to the
    /// coordinates, and adds the Jacobian that makes the sum a density over them.
    pub(crate) fn at(&self, x: &[f64]) -> Result<LogDensity, Error> {
        let mixture = self.mixture(x)?;
        let mut natural = mixture.zero_gradient();
        let likelihood = likelihood::add(&mixture, self.points, &mut natural);
        let prior = prior::add(&mixture, &mut natural);

        let mut gradient = vec![0.0; self.layout.len()];
        self.layout
            .pullback_into(&mixture, x, &natural, &mut gradient)?;
        let jacobian = self
            .layout
            .add_log_abs_det_jacobian_grad(&mixture, x, &mut gradient)?;
        Ok(LogDensity {
            likelihood,
            prior,
            jacobian,
            gradient,
        })
    }
}

impl LogDensity {
    pub(crate) fn sum(&self) -> f64 {
        self.likelihood + self.prior + self.jacobian
    }
}

impl fmt::Display for LogDensity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.6} = {:.6} (likelihood) {:+.6} (prior) {:+.6} (Jacobian)",
            self.sum(),
            self.likelihood,
            self.prior,
            self.jacobian
        )
    }
}
