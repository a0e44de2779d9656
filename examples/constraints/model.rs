//! The model: a mixture of Gaussians of one shape, and what is held of it before any data.

use ndarray::{Array1, Array2, array};
use paramtree::transform::{CholeskyCorr, Ordered, Positive, Simplex};
use paramtree::{Module, zeros_like};

/// Each point is drawn from one of K Gaussians in D dimensions; nobody says from which.
#[derive(Clone, Debug, Module)]
pub(crate) struct Mixture {
    /// The share of points that each component has: positive, and their sum is one.
    #[param(transform = Simplex)]
    pub(crate) weights: Array1<f64>,
    /// Where each component's centre lies along the first axis, from left to right. The order is
    /// what names the components: without it, any two could trade places and fit as well.
    #[param(transform = Ordered)]
    pub(crate) location: Array1<f64>,
    /// Where it lies along the other axes, a row for each component. Any number will do.
    pub(crate) offset: Array2<f64>,
    /// How points scatter about their centre: alike in all components.
    pub(crate) spread: Spread,
    /// Chosen and not learnt: no flat vector ever holds it.
    #[frozen]
    pub(crate) prior: Prior,
}

/// A covariance, as standard deviations and correlations.
#[derive(Clone, Debug, Module)]
pub(crate) struct Spread {
    /// The standard deviation along each axis.
    #[param(transform = Positive)]
    pub(crate) scale: Array1<f64>,
    /// The Cholesky factor of the correlations between the axes.
    #[param(transform = CholeskyCorr)]
    pub(crate) factor: Array2<f64>,
}

/// The hyperparameters of the prior. The default has none: all that a gradient needs.
#[derive(Clone, Debug, Default, PartialEq, Module)]
pub(crate) struct Prior {
    /// Dirichlet, over the weights.
    pub(crate) concentration: Array1<f64>,
    /// The standard deviation of a normal distribution over all coordinates of the centres.
    pub(crate) centre: f64,
    /// That of a half-normal distribution over the scales.
    pub(crate) scale: f64,
    /// LKJ's η, over the correlations: above one it prefers weak ones.
    pub(crate) eta: f64,
}

impl Prior {
    /// Little is known of three components.
    pub(crate) fn weak() -> Self {
        Self {
            concentration: array![2.0, 2.0, 2.0],
            centre: 5.0,
            scale: 3.0,
            eta: 2.0,
        }
    }
}

impl Mixture {
    /// A poor guess: three equal and wide components close to each other, no correlation.
    pub(crate) fn start() -> Self {
        Self {
            weights: Array1::from_elem(3, 1.0 / 3.0),
            location: array![-1.0, 0.0, 1.0],
            offset: Array2::zeros((3, 2)),
            spread: Spread {
                scale: array![2.0, 2.0, 2.0],
                factor: Array2::eye(3),
            },
            prior: Prior::weak(),
        }
    }

    /// Where a gradient starts: zero in every trained leaf, and nothing at all where frozen.
    pub(crate) fn zero_gradient(&self) -> Self {
        Self {
            prior: Prior::default(),
            ..zeros_like(self)
        }
    }

    /// The centres, a row for each component.
    pub(crate) fn centres(&self) -> Array2<f64> {
        let (components, others) = self.offset.dim();
        Array2::from_shape_fn((components, 1 + others), |(k, axis)| match axis {
            0 => self.location[k],
            _ => self.offset[[k, axis - 1]],
        })
    }
}

impl Spread {
    /// The Cholesky factor of the covariance.
    pub(crate) fn root(&self) -> Array2<f64> {
        Array2::from_shape_fn(self.factor.dim(), |(row, column)| {
            self.scale[row] * self.factor[[row, column]]
        })
    }
}
