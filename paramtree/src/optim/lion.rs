//! Lion.

use super::rule::{Rule, Settings, StepOf, check_share, rule_methods};
use super::schedule::Schedule;
use crate::element::{Inexact, Plain};
use crate::error::Error;

/// Steps of exactly the learning rate, in the direction of a momentum's sign.
///
/// | | |
/// |---|---|
/// | direction | u = sign(b1 μ + (1 - b1) g), 0 where that is 0 |
/// | step | p = p - lr · (u + `weight_decay` · p), the decay decoupled as [`AdamW`](super::AdamW)'s |
/// | momentum | μ = b2 μ + (1 - b2) g, from 0, after the step |
/// | defaults | b1 0.9, b2 0.99, `weight_decay` 1e-2 (Optax: 1e-3) |
///
/// Rates are a third to a tenth of those for [`AdamW`](super::AdamW).
///
/// Source: Chen et al., "Symbolic Discovery of Optimization Algorithms", NeurIPS 2023,
/// algorithm 2; `optax.lion`.
///
/// ```
/// use paramtree::optim::Lion;
/// use paramtree::{Mask, Module};
///
/// #[derive(Module)]
/// struct Line { slope: f64 }
///
/// let mut line = Line { slope: 1.0 };
/// let mut opt = Lion::new(0.25).weight_decay(0.0).build(&line, &Mask::of(&line))?;
/// opt.step(&mut line, &Line { slope: 1e-6 })?;
/// assert_eq!(line.slope, 0.75);
/// # Ok::<(), paramtree::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lion {
    settings: Settings,
    b1: f64,
    b2: f64,
}

rule_methods!(Lion, decays);

impl Lion {
    /// With the defaults but for the learning rate.
    pub fn new(lr: impl Into<Schedule>) -> Self {
        let mut settings = Settings::new(lr);
        settings.weight_decay = 1e-2;
        Self {
            settings,
            b1: 0.9,
            b2: 0.99,
        }
    }

    /// The shares of the momentum in the direction, and that is kept, each in [0, 1).
    #[must_use]
    pub fn betas(mut self, b1: f64, b2: f64) -> Self {
        (self.b1, self.b2) = (b1, b2);
        self
    }
}

#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Scalars<T> {
    minus_lr: T,
    weight_decay: T,
    /// Each with 1 minus it.
    b1: (T, T),
    b2: (T, T),
}

impl Rule for Lion {
    type Scalars<T: Plain> = Scalars<T>;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    fn check(&self) -> Result<(), Error> {
        check_share("b1", self.b1)?;
        check_share("b2", self.b2)
    }

    fn moments(&self) -> &'static [&'static str] {
        &["mu"]
    }

    fn scalars<T: Inexact>(&self, step: StepOf) -> Scalars<T> {
        Scalars {
            minus_lr: T::from_f64(-step.lr),
            weight_decay: T::from_f64(step.weight_decay),
            b1: (T::from_f64(self.b1), T::from_f64(1.0 - self.b1)),
            b2: (T::from_f64(self.b2), T::from_f64(1.0 - self.b2)),
        }
    }

    #[inline]
    fn update<T: Inexact>(
        scalars: &Scalars<T>,
        params: &mut [T],
        gradient: &[T],
        [mu, _]: [&mut [T]; 2],
    ) {
        let Scalars {
            minus_lr,
            weight_decay: decay,
            b1: (b1, new1),
            b2: (b2, new2),
        } = *scalars;
        let one = T::from_f64(1.0);
        for ((p, &g), m) in params.iter_mut().zip(gradient).zip(mu) {
            let along = new1 * g + b1 * *m;
            let sign = if along > T::ZERO {
                one
            } else if along < T::ZERO {
                -one
            } else {
                T::ZERO
            };
            *p = *p + minus_lr * (sign + decay * *p);
            *m = new2 * g + b2 * *m;
        }
    }
}
