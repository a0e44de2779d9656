//! What an optimiser does to the numbers of one leaf.

use super::schedule::Schedule;
use crate::element::{Inexact, Plain};
use crate::error::Error;

/// What every rule has: a learning rate, a weight decay, and a limit for gradients.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The learning rate.
    pub lr: Schedule,
    /// The weight decay. 0 is none.
    pub weight_decay: f64,
    /// Whether leaves with a transform decay too, in unconstrained space.
    pub decay_transformed: bool,
    /// The limit of each gradient.
    pub clip: Clip,
}

/// A limit for the gradient of a leaf, in unconstrained space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Clip {
    /// None.
    Off,
    /// Each element within ± this.
    Value(f64),
    /// The Euclidean norm at most this: a longer gradient is made shorter.
    Norm(f64),
}

impl Settings {
    /// A learning rate, and the rest off.
    pub fn new(lr: impl Into<Schedule>) -> Self {
        Self {
            lr: lr.into(),
            weight_decay: 0.0,
            decay_transformed: false,
            clip: Clip::Off,
        }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        check("weight_decay", self.weight_decay, "at least 0", |v| {
            v >= 0.0
        })?;
        match self.clip {
            Clip::Off => Ok(()),
            Clip::Value(limit) | Clip::Norm(limit) => check_limit("clip", limit),
        }
    }
}

/// Refuses a setting that is out of its range, or not finite.
pub(super) fn check(
    name: &'static str,
    value: f64,
    expected: &'static str,
    holds: impl Fn(f64) -> bool,
) -> Result<(), Error> {
    if value.is_finite() && holds(value) {
        return Ok(());
    }
    Err(Error::Setting {
        name,
        value,
        expected,
    })
}

pub(super) fn check_limit(name: &'static str, limit: f64) -> Result<(), Error> {
    check(name, limit, "at least 0", |v| v >= 0.0)
}

/// What keeps a divisor from zero.
pub(super) fn check_eps(eps: f64) -> Result<(), Error> {
    check("eps", eps, "greater than 0", |v| v > 0.0)
}

/// It in the precision of a leaf, in which it must not vanish.
pub(super) fn eps<T: Inexact>(eps: f64) -> T {
    let (eps, least) = (T::from_f64(eps), T::smallest_normal());
    if eps < least { least } else { eps }
}

/// A share of the past that a moment keeps.
pub(super) fn check_share(name: &'static str, value: f64) -> Result<(), Error> {
    check(name, value, "in [0, 1)", |v| (0.0..1.0).contains(&v))
}

/// What a step is to a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StepOf {
    /// The learning rate.
    pub lr: f64,
    /// The weight decay, 0 where the leaf has none.
    pub weight_decay: f64,
    /// The number of steps of this leaf, this one included.
    pub count: u64,
}

/// A first-order update rule: how numbers, their gradient and their moments become new numbers.
///
/// Everything around it (groups, masks, transforms, clipping, accumulation, checks) is the
/// [`Optimizer`](super::Optimizer)'s. A rule of your own, the sign of the gradient:
///
/// ```
/// use paramtree::optim::{Builder, Plain, Rule, Settings, StepOf};
/// use paramtree::{Error, Inexact, Mask, Module};
///
/// #[derive(Clone, Debug)]
/// struct SignSgd(Settings);
///
/// impl Rule for SignSgd {
///     type Scalars<T: Plain> = T;
///
///     fn settings(&self) -> &Settings {
///         &self.0
///     }
///     fn settings_mut(&mut self) -> &mut Settings {
///         &mut self.0
///     }
///     fn moments(&self) -> &'static [&'static str] {
///         &[]
///     }
///     fn scalars<T: Inexact>(&self, step: StepOf) -> T {
///         T::from_f64(step.lr)
///     }
///     fn update<T: Inexact>(lr: &T, params: &mut [T], gradient: &[T], _: [&mut [T]; 2]) {
///         let lr = *lr;
///         for (p, g) in params.iter_mut().zip(gradient) {
///             let zero = T::from_f64(0.0);
///             *p = if *g > zero { *p - lr } else if *g < zero { *p + lr } else { *p };
///         }
///     }
/// }
///
/// #[derive(Module)]
/// struct Point { x: f64, y: f64 }
///
/// let mut point = Point { x: 1.0, y: 1.0 };
/// let rule = SignSgd(Settings::new(0.5));
/// let mut opt = Builder::new(rule).build(&point, &Mask::of(&point))?;
/// opt.step(&mut point, &Point { x: 9.0, y: -1e-9 })?;
/// assert_eq!((point.x, point.y), (0.5, 1.5));
/// # Ok::<(), paramtree::Error>(())
/// ```
pub trait Rule: Clone {
    /// What one step needs of the settings, for all elements of a leaf alike, in their type.
    type Scalars<T: Plain>: Plain;

    /// The settings that every rule has.
    fn settings(&self) -> &Settings;

    /// As [`settings`](Self::settings), to be changed.
    fn settings_mut(&mut self) -> &mut Settings;

    /// Whether the rule's own settings make sense.
    ///
    /// # Errors
    ///
    /// One does not.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    /// The names of what it remembers of each element, at most two.
    fn moments(&self) -> &'static [&'static str];

    /// What one step needs.
    fn scalars<T: Inexact>(&self, step: StepOf) -> Self::Scalars<T>;

    /// Updates numbers of a leaf in place, and their moments, all slices of one length (the
    /// moments that are not used have none). It is called for parts of a leaf, too: each
    /// element must depend on its own numbers alone.
    fn update<T: Inexact>(
        scalars: &Self::Scalars<T>,
        params: &mut [T],
        gradient: &[T],
        moments: [&mut [T]; 2],
    );
}

/// The methods that each of the rules here has.
macro_rules! rule_methods {
    ($rule:ident) => {
        impl $rule {
            /// The learning rate: a number, or a [`Schedule`](super::Schedule).
            #[must_use]
            pub fn lr(mut self, lr: impl Into<super::Schedule>) -> Self {
                self.settings.lr = lr.into();
                self
            }

            /// Limits each element of a gradient, in unconstrained space, to ± `limit`.
            #[must_use]
            pub fn clip_value(mut self, limit: f64) -> Self {
                self.settings.clip = super::Clip::Value(limit);
                self
            }

            /// Limits the Euclidean norm of each leaf's gradient, in unconstrained space.
            #[must_use]
            pub fn clip_norm(mut self, limit: f64) -> Self {
                self.settings.clip = super::Clip::Norm(limit);
                self
            }

            /// To say more than one rule for all leaves: groups, a global norm, …
            pub fn builder<'g>(self) -> super::Builder<'g, Self> {
                super::Builder::new(self)
            }

            /// An optimiser of the leaves that a mask trains.
            ///
            /// # Errors
            ///
            /// As [`Builder::build`](super::Builder::build).
            pub fn build<M: crate::module::Module + ?Sized>(
                self,
                model: &M,
                mask: &crate::mask::Mask,
            ) -> Result<super::Optimizer<Self>, crate::error::Error> {
                self.builder().build(model, mask)
            }
        }
    };
    ($rule:ident, decays) => {
        super::rule::rule_methods!($rule);

        impl $rule {
            /// The weight decay: 0 is none. Leaves with a transform have none unless
            /// [`decay_transformed`](Self::decay_transformed) says so.
            #[must_use]
            pub fn weight_decay(mut self, weight_decay: f64) -> Self {
                self.settings.weight_decay = weight_decay;
                self
            }

            /// Whether leaves with a transform decay too. Their coordinates are pulled to 0,
            /// which is no special value: 1 for `Positive`, ln 2 for `Softplus`.
            #[must_use]
            pub fn decay_transformed(mut self, decay: bool) -> Self {
                self.settings.decay_transformed = decay;
                self
            }
        }
    };
}

pub(super) use rule_methods;
