//! Stochastic gradient descent.

use super::rule::{Rule, Settings, StepOf, check_share, rule_methods};
use super::schedule::Schedule;
use crate::element::{Inexact, Plain};
use crate::error::Error;

/// Gradient descent, with momentum if one is set.
///
/// | | |
/// |---|---|
/// | gradient | g = g + `weight_decay` · p, coupled (L2), as in PyTorch |
/// | velocity | v = g + momentum · v, from 0 |
/// | step | p = p - lr · v; with Nesterov's momentum p - lr · (g + momentum · v) |
/// | defaults | momentum 0, not Nesterov, `weight_decay` 0 |
///
/// Without momentum it remembers nothing.
///
/// Source: Sutskever et al., "On the importance of initialization and momentum in deep
/// learning", ICML 2013, in the form of Optax's `sgd` and PyTorch's `SGD`.
///
/// ```
/// use paramtree::optim::Sgd;
/// use paramtree::{Mask, Module};
///
/// #[derive(Module)]
/// struct Line { slope: f64, #[frozen] offset: f64 }
///
/// let mut line = Line { slope: 1.0, offset: 2.0 };
/// let mut opt = Sgd::new(0.5).momentum(0.5).build(&line, &Mask::of(&line))?;
/// opt.step(&mut line, &Line { slope: 1.0, offset: 1.0 })?;
/// opt.step(&mut line, &Line { slope: 1.0, offset: 1.0 })?;
/// assert_eq!(line.slope, 1.0 - 0.5 - 0.75);
/// assert_eq!(line.offset, 2.0);
/// # Ok::<(), paramtree::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sgd {
    settings: Settings,
    momentum: f64,
    nesterov: bool,
}

rule_methods!(Sgd, decays);

impl Sgd {
    /// Without momentum and decay.
    pub fn new(lr: impl Into<Schedule>) -> Self {
        Self {
            settings: Settings::new(lr),
            momentum: 0.0,
            nesterov: false,
        }
    }

    /// The share of the velocity that is kept, in [0, 1).
    #[must_use]
    pub fn momentum(mut self, momentum: f64) -> Self {
        self.momentum = momentum;
        self
    }

    /// Whether the momentum is Nesterov's.
    #[must_use]
    pub fn nesterov(mut self, nesterov: bool) -> Self {
        self.nesterov = nesterov;
        self
    }
}

#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Scalars<T> {
    minus_lr: T,
    weight_decay: T,
    momentum: T,
    nesterov: bool,
}

impl Rule for Sgd {
    type Scalars<T: Plain> = Scalars<T>;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    fn check(&self) -> Result<(), Error> {
        check_share("momentum", self.momentum)
    }

    fn moments(&self) -> &'static [&'static str] {
        if self.momentum == 0.0 {
            &[]
        } else {
            &["velocity"]
        }
    }

    fn scalars<T: Inexact>(&self, step: StepOf) -> Scalars<T> {
        Scalars {
            minus_lr: T::from_f64(-step.lr),
            weight_decay: T::from_f64(step.weight_decay),
            momentum: T::from_f64(self.momentum),
            nesterov: self.nesterov,
        }
    }

    #[inline]
    fn update<T: Inexact>(
        scalars: &Scalars<T>,
        params: &mut [T],
        gradient: &[T],
        [velocity, _]: [&mut [T]; 2],
    ) {
        let Scalars {
            minus_lr,
            weight_decay: decay,
            momentum,
            nesterov,
        } = *scalars;
        if momentum == T::ZERO {
            for (p, &g) in params.iter_mut().zip(gradient) {
                *p = *p + minus_lr * (g + decay * *p);
            }
            return;
        }
        for ((p, &g), v) in params.iter_mut().zip(gradient).zip(velocity) {
            let g = g + decay * *p;
            *v = g + momentum * *v;
            let step = if nesterov { g + momentum * *v } else { *v };
            *p = *p + minus_lr * step;
        }
    }
}
