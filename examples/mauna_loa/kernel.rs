//! Covariance functions of the time between two measurements, with their gradients.
//!
//! A gradient is a value of the function's own type, in natural space: `gradient.length` is the
//! derivative by `length`. Nothing is computed for what does not train.

use std::f64::consts::PI;

use crate::model::{Periodic, RationalQuadratic, Rbf, Seasonal};

pub(crate) trait Covariance {
    /// The covariance of two values `lag` years apart.
    fn at(&self, lag: f64) -> f64;

    /// Adds `weight` times the derivative of [`Self::at`] by each hyperparameter.
    fn add_gradient(&self, lag: f64, weight: f64, gradient: &mut Self);
}

impl Covariance for Rbf {
    fn at(&self, lag: f64) -> f64 {
        self.variance * (-0.5 * (lag / self.length).powi(2)).exp()
    }

    fn add_gradient(&self, lag: f64, weight: f64, gradient: &mut Self) {
        let weighted = weight * self.at(lag);
        gradient.variance += weighted / self.variance;
        gradient.length += weighted * lag.powi(2) / self.length.powi(3);
    }
}

impl Periodic {
    /// sin² of half the phase: all that the period has to say.
    fn sine_squared(&self, lag: f64) -> f64 {
        (PI * lag / self.period).sin().powi(2)
    }
}

impl Covariance for Seasonal {
    fn at(&self, lag: f64) -> f64 {
        let decay = -0.5 * (lag / self.decay).powi(2);
        let periodic = -2.0 * self.periodic.sine_squared(lag) / self.periodic.length.powi(2);
        self.variance * (decay + periodic).exp()
    }

    fn add_gradient(&self, lag: f64, weight: f64, gradient: &mut Self) {
        let weighted = weight * self.at(lag);
        gradient.variance += weighted / self.variance;
        gradient.decay += weighted * lag.powi(2) / self.decay.powi(3);
        gradient.periodic.length +=
            weighted * 4.0 * self.periodic.sine_squared(lag) / self.periodic.length.powi(3);
    }
}

impl RationalQuadratic {
    fn ratio(&self, lag: f64) -> f64 {
        (lag / self.length).powi(2) / (2.0 * self.alpha)
    }
}

impl Covariance for RationalQuadratic {
    fn at(&self, lag: f64) -> f64 {
        self.variance * (-self.alpha * self.ratio(lag).ln_1p()).exp()
    }

    fn add_gradient(&self, lag: f64, weight: f64, gradient: &mut Self) {
        let weighted = weight * self.at(lag);
        let ratio = self.ratio(lag);
        let share = ratio / (1.0 + ratio);
        gradient.variance += weighted / self.variance;
        gradient.alpha += weighted * (share - ratio.ln_1p());
        gradient.length += weighted * 2.0 * self.alpha * share / self.length;
    }
}
