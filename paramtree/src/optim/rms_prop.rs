//! RMSProp.

use super::rule::{Rule, Settings, StepOf, check_eps, check_share, eps, rule_methods};
use super::schedule::Schedule;
use crate::element::{Inexact, Plain};
use crate::error::Error;

/// Gradients divided by the root of their mean square.
///
/// | | |
/// |---|---|
/// | gradient | g = g + `weight_decay` · p, coupled (L2), as in PyTorch |
/// | mean square | ν = alpha ν + (1 - alpha) g², from 0 |
/// | velocity | v = g / (√ν + eps) + momentum · v, from 0 |
/// | step | p = p - lr · v |
/// | defaults | alpha 0.99, eps 1e-8, momentum 0, `weight_decay` 0 |
///
/// ν is not corrected for its start from 0: the first step is lr / √(1 - alpha), ten times the
/// learning rate.
///
/// Source: Tieleman and Hinton, "Neural Networks for Machine Learning", lecture 6.5, 2012, in
/// the form of PyTorch's `RMSprop`.
///
/// ```
/// use paramtree::optim::RmsProp;
/// use paramtree::{Mask, Module};
///
/// #[derive(Module)]
/// struct Line { slope: f64 }
///
/// let mut line = Line { slope: 1.0 };
/// let mut opt = RmsProp::new(0.01).build(&line, &Mask::of(&line))?;
/// opt.step(&mut line, &Line { slope: 5.0 })?;
/// assert!((line.slope - 0.9).abs() < 1e-8);
/// # Ok::<(), paramtree::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RmsProp {
    settings: Settings,
    alpha: f64,
    eps: f64,
    momentum: f64,
}

rule_methods!(RmsProp, decays);

impl RmsProp {
    /// With the defaults but for the learning rate.
    pub fn new(lr: impl Into<Schedule>) -> Self {
        Self {
            settings: Settings::new(lr),
            alpha: 0.99,
            eps: 1e-8,
            momentum: 0.0,
        }
    }

    /// The share of the mean square that is kept, in [0, 1).
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    /// What keeps the divisor from zero, outside the root. Greater than 0.
    #[must_use]
    pub fn eps(mut self, eps: f64) -> Self {
        self.eps = eps;
        self
    }

    /// The share of the velocity that is kept, in [0, 1).
    #[must_use]
    pub fn momentum(mut self, momentum: f64) -> Self {
        self.momentum = momentum;
        self
    }
}

#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Scalars<T> {
    minus_lr: T,
    weight_decay: T,
    alpha: T,
    /// 1 - alpha.
    new: T,
    eps: T,
    momentum: T,
}

impl Rule for RmsProp {
    type Scalars<T: Plain> = Scalars<T>;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    fn check(&self) -> Result<(), Error> {
        check_share("alpha", self.alpha)?;
        check_eps(self.eps)?;
        check_share("momentum", self.momentum)
    }

    fn moments(&self) -> &'static [&'static str] {
        if self.momentum == 0.0 {
            &["nu"]
        } else {
            &["nu", "velocity"]
        }
    }

    fn scalars<T: Inexact>(&self, step: StepOf) -> Scalars<T> {
        Scalars {
            minus_lr: T::from_f64(-step.lr),
            weight_decay: T::from_f64(step.weight_decay),
            alpha: T::from_f64(self.alpha),
            new: T::from_f64(1.0 - self.alpha),
            eps: eps(self.eps),
            momentum: T::from_f64(self.momentum),
        }
    }

    #[inline]
    fn update<T: Inexact>(
        scalars: &Scalars<T>,
        params: &mut [T],
        gradient: &[T],
        [nu, velocity]: [&mut [T]; 2],
    ) {
        let Scalars {
            minus_lr,
            weight_decay: decay,
            alpha,
            new,
            eps,
            momentum,
        } = *scalars;
        let elements = params.iter_mut().zip(gradient).zip(nu);
        if momentum == T::ZERO {
            for ((p, &g), n) in elements {
                let g = g + decay * *p;
                *n = new * (g * g) + alpha * *n;
                *p = *p + minus_lr * (g / (n.sqrt() + eps));
            }
            return;
        }
        for (((p, &g), n), v) in elements.zip(velocity) {
            let g = g + decay * *p;
            *n = new * (g * g) + alpha * *n;
            *v = g / (n.sqrt() + eps) + momentum * *v;
            *p = *p + minus_lr * *v;
        }
    }
}
