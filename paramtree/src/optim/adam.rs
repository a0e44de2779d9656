//! Adam and its kin: two moments, corrected for their start from zero.

use super::rule::{Rule, Settings, StepOf, check_eps, check_share, eps, rule_methods};
use super::schedule::{Schedule, number};
use crate::element::{Inexact, Plain};
use crate::error::Error;

/// What the rules of this family have beside the [`Settings`].
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moments {
    b1: f64,
    b2: f64,
    eps: f64,
}

impl Moments {
    const DEFAULT: Self = Self {
        b1: 0.9,
        b2: 0.999,
        eps: 1e-8,
    };

    fn check(&self) -> Result<(), Error> {
        check_share("b1", self.b1)?;
        check_share("b2", self.b2)?;
        check_eps(self.eps)
    }

    fn scalars<T: Inexact>(&self, step: StepOf, nesterov: bool) -> Scalars<T> {
        let Self { b1, b2, .. } = *self;
        let left = |b: f64, count: u64| T::from_f64(1.0 - b.powf(number(count)));
        Scalars {
            minus_lr: T::from_f64(-step.lr),
            weight_decay: T::from_f64(step.weight_decay),
            b1: T::from_f64(b1),
            new1: T::from_f64(1.0 - b1),
            b2: T::from_f64(b2),
            new2: T::from_f64(1.0 - b2),
            eps: eps(self.eps),
            left1: left(b1, step.count),
            left1_next: left(b1, step.count + 1),
            left2: left(b2, step.count),
            nesterov,
        }
    }
}

#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Scalars<T> {
    minus_lr: T,
    weight_decay: T,
    b1: T,
    /// 1 - b1.
    new1: T,
    b2: T,
    new2: T,
    eps: T,
    /// 1 - b1^t, 1 - b1^(t + 1), 1 - b2^t.
    left1: T,
    left1_next: T,
    left2: T,
    nesterov: bool,
}

/// In the order of operations of Optax, which is thus matched bit for bit in `f64`.
#[inline]
fn update<T: Inexact>(
    scalars: &Scalars<T>,
    params: &mut [T],
    gradient: &[T],
    [mu, nu]: [&mut [T]; 2],
) {
    let Scalars {
        minus_lr,
        weight_decay: decay,
        b1,
        new1,
        b2,
        new2,
        eps,
        left1,
        left1_next: next,
        left2,
        nesterov,
    } = *scalars;
    let moments = mu.iter_mut().zip(nu);
    let elements = params.iter_mut().zip(gradient).zip(moments);
    if nesterov {
        for ((p, &g), (m, v)) in elements {
            *m = new1 * g + b1 * *m;
            *v = new2 * (g * g) + b2 * *v;
            let ahead = b1 * (*m / next) + new1 * (g / left1);
            let step = ahead / ((*v / left2).sqrt() + eps) + decay * *p;
            *p = *p + minus_lr * step;
        }
        return;
    }
    for ((p, &g), (m, v)) in elements {
        *m = new1 * g + b1 * *m;
        *v = new2 * (g * g) + b2 * *v;
        let step = (*m / left1) / ((*v / left2).sqrt() + eps) + decay * *p;
        *p = *p + minus_lr * step;
    }
}

macro_rules! adam {
    ($rule:ident $nesterov:literal $decay:literal $(#[$doc:meta])*) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $rule {
            settings: Settings,
            moments: Moments,
        }

        impl $rule {
            /// With the defaults but for the learning rate.
            pub fn new(lr: impl Into<Schedule>) -> Self {
                let mut settings = Settings::new(lr);
                settings.weight_decay = $decay;
                Self { settings, moments: Moments::DEFAULT }
            }

            /// The shares of the two moments that are kept, each in [0, 1).
            #[must_use]
            pub fn betas(mut self, b1: f64, b2: f64) -> Self {
                (self.moments.b1, self.moments.b2) = (b1, b2);
                self
            }

            /// What keeps the divisor from zero, outside the root. Greater than 0.
            #[must_use]
            pub fn eps(mut self, eps: f64) -> Self {
                self.moments.eps = eps;
                self
            }
        }

        impl Rule for $rule {
            type Scalars<T: Plain> = Scalars<T>;

            fn settings(&self) -> &Settings {
                &self.settings
            }

            fn settings_mut(&mut self) -> &mut Settings {
                &mut self.settings
            }

            fn check(&self) -> Result<(), Error> {
                self.moments.check()
            }

            fn moments(&self) -> &'static [&'static str] {
                &["mu", "nu"]
            }

            fn scalars<T: Inexact>(&self, step: StepOf) -> Scalars<T> {
                self.moments.scalars(step, $nesterov)
            }

            #[inline]
            fn update<T: Inexact>(
                scalars: &Scalars<T>,
                params: &mut [T],
                gradient: &[T],
                moments: [&mut [T]; 2],
            ) {
                update(scalars, params, gradient, moments);
            }
        }
    };
}

adam!(Adam false 0.0
    /// Adam: steps of about the learning rate, whatever the size of the gradient.
    ///
    /// | | |
    /// |---|---|
    /// | moments | μ = b1 μ + (1 - b1) g, ν = b2 ν + (1 - b2) g², from 0 |
    /// | step | p = p - lr · (μ / (1 - b1ᵗ)) / (√(ν / (1 - b2ᵗ)) + eps), t the leaf's own count from 1 |
    /// | defaults | b1 0.9, b2 0.999, eps 1e-8; no decay: that is [`AdamW`]'s |
    ///
    /// Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015,
    /// algorithm 1; `optax.adam`.
    ///
    /// ```
    /// use paramtree::optim::Adam;
    /// use paramtree::{Mask, Module};
    ///
    /// #[derive(Module)]
    /// struct Line { slope: f64 }
    ///
    /// let mut line = Line { slope: 1.0 };
    /// let mut opt = Adam::new(0.1).build(&line, &Mask::of(&line))?;
    /// opt.step(&mut line, &Line { slope: 1e6 })?;
    /// assert!((line.slope - 0.9).abs() < 1e-12);
    /// # Ok::<(), paramtree::Error>(())
    /// ```
);

adam!(AdamW false 1e-2
    /// Adam with decoupled weight decay: the parameters themselves shrink, not their gradients
    /// grow.
    ///
    /// | | |
    /// |---|---|
    /// | moments | as [`Adam`] |
    /// | step | p = p - lr · (Adam's step + `weight_decay` · p) |
    /// | defaults | b1 0.9, b2 0.999, eps 1e-8, `weight_decay` 1e-2, as in PyTorch (Optax: 1e-4) |
    ///
    /// The decay is scaled by the learning rate, as in PyTorch and Optax, and acts on leaves
    /// without a transform only, unless [`decay_transformed`](AdamW::decay_transformed) is set.
    /// A leaf that is frozen, in whatever way, never decays.
    ///
    /// Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", ICLR 2019,
    /// algorithm 2; `optax.adamw`.
    ///
    /// ```
    /// use paramtree::optim::AdamW;
    /// use paramtree::{Mask, Module};
    ///
    /// #[derive(Module)]
    /// struct Layer { weight: f64, #[frozen] table: f64 }
    ///
    /// let mut layer = Layer { weight: 1.0, table: 1.0 };
    /// let mut opt = AdamW::new(0.1).weight_decay(0.1).build(&layer, &Mask::of(&layer))?;
    /// opt.step(&mut layer, &Layer { weight: 0.0, table: 0.0 })?;
    /// assert_eq!((layer.weight, layer.table), (0.99, 1.0));
    /// # Ok::<(), paramtree::Error>(())
    /// ```
);

adam!(NAdamW true 1e-2
    /// [`AdamW`] with Nesterov's momentum.
    ///
    /// | | |
    /// |---|---|
    /// | moments | as [`Adam`] |
    /// | step | as [`AdamW`], with b1 μ / (1 - b1ᵗ⁺¹) + (1 - b1) g / (1 - b1ᵗ) in place of μ / (1 - b1ᵗ) |
    /// | defaults | b1 0.9, b2 0.999, eps 1e-8, `weight_decay` 1e-2, as [`AdamW`]'s |
    ///
    /// Source: Dozat, "Incorporating Nesterov Momentum into Adam", ICLR 2016 workshop, in the
    /// form of `optax.nadamw`.
    ///
    /// ```
    /// use paramtree::optim::NAdamW;
    /// use paramtree::{Mask, Module};
    ///
    /// #[derive(Module)]
    /// struct Line { slope: f64 }
    ///
    /// let mut line = Line { slope: 0.0 };
    /// let mut opt = NAdamW::new(0.1).build(&line, &Mask::of(&line))?;
    /// opt.step(&mut line, &Line { slope: 1.0 })?;
    /// // 0.9 · 0.1 / 0.19 + 0.1 / 0.1 = 1.4736…
    /// assert!((line.slope + 0.147_368_421).abs() < 1e-8);
    /// # Ok::<(), paramtree::Error>(())
    /// ```
);

rule_methods!(Adam);
rule_methods!(AdamW, decays);
rule_methods!(NAdamW, decays);
