//! The model: five nested structs, eleven trained hyperparameters and one that is frozen.
//!
//! Each is stored as scikit-learn stores it (variances, not standard deviations), so the flat
//! unconstrained vector is scikit-learn's `theta`, number by number.

use std::fmt;

use paramtree::Module;
use paramtree::transform::Positive;

use crate::kernel::Covariance;

/// A squared exponential: smooth, over one length of time.
#[derive(Clone, Debug, Default, Module)]
pub(crate) struct Rbf {
    #[param(transform = Positive)]
    pub(crate) variance: f64,
    #[param(transform = Positive)]
    pub(crate) length: f64,
}

/// What repeats exactly, every `period` years.
#[derive(Clone, Debug, Default, Module)]
pub(crate) struct Periodic {
    #[param(transform = Positive)]
    pub(crate) length: f64,
    /// A year is a year: known, so never trained.
    #[frozen]
    pub(crate) period: f64,
}

/// A repeating pattern that changes its shape over `decay` years.
#[derive(Clone, Debug, Default, Module)]
pub(crate) struct Seasonal {
    #[param(transform = Positive)]
    pub(crate) variance: f64,
    #[param(transform = Positive)]
    pub(crate) decay: f64,
    pub(crate) periodic: Periodic,
}

/// Squared exponentials of many lengths at once; `alpha` sets how many.
#[derive(Clone, Debug, Default, Module)]
pub(crate) struct RationalQuadratic {
    #[param(transform = Positive)]
    pub(crate) variance: f64,
    #[param(transform = Positive)]
    pub(crate) alpha: f64,
    #[param(transform = Positive)]
    pub(crate) length: f64,
}

/// CO₂ at Mauna Loa: a sum of four independent processes and white noise.
#[derive(Clone, Debug, Default, Module)]
pub(crate) struct Model {
    pub(crate) trend: Rbf,
    pub(crate) seasonal: Seasonal,
    pub(crate) medium: RationalQuadratic,
    pub(crate) short: Rbf,
    /// The variance of the white noise, ppm².
    #[param(transform = Positive)]
    pub(crate) noise: f64,
}

impl Model {
    /// Where scikit-learn's example starts.
    pub(crate) fn start() -> Self {
        let rbf = |deviation: f64, length| Rbf {
            variance: deviation.powi(2),
            length,
        };
        Self {
            trend: rbf(50.0, 50.0),
            seasonal: Seasonal {
                variance: 2.0_f64.powi(2),
                decay: 100.0,
                periodic: Periodic {
                    length: 1.0,
                    period: 1.0,
                },
            },
            medium: RationalQuadratic {
                variance: 0.5_f64.powi(2),
                alpha: 1.0,
                length: 1.0,
            },
            short: rbf(0.1, 0.1),
            noise: 0.1_f64.powi(2),
        }
    }

    /// The covariance of two measurements `lag` years apart, the noise left out.
    pub(crate) fn at(&self, lag: f64) -> f64 {
        self.trend.at(lag) + self.seasonal.at(lag) + self.medium.at(lag) + self.short.at(lag)
    }

    /// Adds `weight` times the derivative of [`Self::at`] by each hyperparameter.
    pub(crate) fn add_gradient(&self, lag: f64, weight: f64, gradient: &mut Self) {
        self.trend.add_gradient(lag, weight, &mut gradient.trend);
        self.seasonal
            .add_gradient(lag, weight, &mut gradient.seasonal);
        self.medium.add_gradient(lag, weight, &mut gradient.medium);
        self.short.add_gradient(lag, weight, &mut gradient.short);
    }
}

/// The kernel as scikit-learn prints it: three significant digits, standard deviations squared.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let constant = |variance: f64| format!("{}**2", three_digits(variance.sqrt()));
        let rbf = |length| format!("RBF(length_scale={})", three_digits(length));
        let Self {
            trend,
            seasonal,
            medium,
            short,
            noise,
        } = self;
        write!(
            f,
            "{} * {} + {} * {} * ExpSineSquared(length_scale={}, periodicity={}) \
             + {} * RationalQuadratic(alpha={}, length_scale={}) + {} * {} \
             + WhiteKernel(noise_level={})",
            constant(trend.variance),
            rbf(trend.length),
            constant(seasonal.variance),
            rbf(seasonal.decay),
            three_digits(seasonal.periodic.length),
            three_digits(seasonal.periodic.period),
            constant(medium.variance),
            three_digits(medium.alpha),
            three_digits(medium.length),
            constant(short.variance),
            rbf(short.length),
            three_digits(*noise),
        )
    }
}

/// Python's `{:.3g}`, for numbers that it writes without an exponent.
fn three_digits(value: f64) -> String {
    let places = (0..20).find(|&places| value.abs() * 10_f64.powi(places) >= 99.95);
    let places = usize::try_from(places.unwrap_or(0)).unwrap_or(0);
    let text = format!("{value:.places$}");
    if places == 0 {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
