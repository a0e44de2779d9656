//! First-order optimisers that cannot touch a frozen leaf.
//!
//! ```
//! use paramtree::optim::AdamW;
//! use paramtree::{Mask, Module, zeros_like};
//!
//! #[derive(Clone, Module)]
//! struct Line {
//!     slope: f64,
//!     #[frozen]
//!     offset: f64,
//! }
//!
//! let mut line = Line { slope: 0.0, offset: 1.0 };
//! let mut opt = AdamW::new(0.1).build(&line, &Mask::of(&line))?;
//! for _ in 0..200 {
//!     // The loss is (slope - 3)² / 2.
//!     let mut gradient = zeros_like(&line);
//!     gradient.slope = line.slope - 3.0;
//!     opt.step(&mut line, &gradient)?;
//! }
//! assert!((line.slope - 3.0).abs() < 0.1);
//! assert_eq!(line.offset, 1.0);
//! # Ok::<(), paramtree::Error>(())
//! ```
//!
//! | rule | moments | decay |
//! |---|---|---|
//! | [`Sgd`] | velocity, with momentum | coupled |
//! | [`Adam`] | μ, ν | none |
//! | [`AdamW`], [`NAdamW`] | μ, ν | decoupled |
//! | [`RmsProp`] | ν, and velocity with momentum | coupled |
//! | [`Lion`] | μ | decoupled |
//! | one's own | | [`Rule`] |
//!
//! A rule alone builds an [`Optimizer`] of all leaves that a mask trains; a [`Builder`] adds
//! groups with rules of their own, a limit for the norm of the whole gradient, and means of
//! several gradients. [`Schedule`]s change learning rates, [`Ema`] averages parameters.
//!
//! # Freezing
//!
//! A leaf that does not train is not given to the rule at all. It is no zero gradient that
//! holds it: weight decay, momentum that is still loaded and noise would move it all the same.
//! So a declared frozen leaf, and one that a mask freezes, keep their bits whatever the rule.

mod adam;
mod apply;
mod builder;
mod clip;
mod collect;
mod collected;
mod ema;
mod finite;
mod kernel;
mod lion;
mod optimizer;
mod pull;
mod rms_prop;
mod rule;
mod schedule;
mod sgd;
mod slot;
mod state;
mod streams;
mod trainable;

pub use crate::element::Plain;

pub use self::adam::{Adam, AdamW, NAdamW};
pub use self::builder::{Builder, NonFinite};
pub use self::ema::Ema;
pub use self::lion::Lion;
pub use self::optimizer::{Optimizer, Step};
pub use self::rms_prop::RmsProp;
pub use self::rule::{Clip, Rule, Settings, StepOf};
pub use self::schedule::Schedule;
pub use self::sgd::Sgd;
