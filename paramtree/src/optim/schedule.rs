//! How a learning rate changes from step to step.

use std::f64::consts::PI;
use std::fmt;
use std::sync::Arc;

/// A learning rate as a function of the number of steps that were taken before.
///
/// The count convention is Optax's: the first step is taken at `rate(0)`. A warm-up from 0 thus
/// makes it one that moves nothing; let it start from a small number if you mind. The count is
/// the optimiser's own, of all its steps, whatever was frozen meanwhile.
///
/// A plain `f64` is a constant schedule.
///
/// ```
/// use paramtree::optim::Schedule;
///
/// let schedule = Schedule::warmup_cosine(0.0, 0.1, 10, 100, 0.001);
/// assert_eq!(schedule.rate(0), 0.0);
/// assert_eq!(schedule.rate(10), 0.1);
/// assert_eq!(schedule.rate(1000), 0.001);
/// ```
///
/// Source of the formulas: Optax 0.2.8, `optax.schedules`.
#[derive(Clone)]
pub struct Schedule(Kind);

#[derive(Clone)]
enum Kind {
    Constant(f64),
    Polynomial {
        from: f64,
        to: f64,
        power: f64,
        steps: u64,
    },
    Cosine {
        from: f64,
        to: f64,
        steps: u64,
    },
    Exponential {
        from: f64,
        factor: f64,
        steps: u64,
        staircase: bool,
    },
    Piecewise {
        from: f64,
        factors: Arc<[(u64, f64)]>,
    },
    /// The first up to a count, from there the second, which counts from there.
    Then(Arc<Schedule>, u64, Arc<Schedule>),
    Custom(Arc<dyn Fn(u64) -> f64 + Send + Sync>),
}

impl Schedule {
    /// The same rate for ever.
    #[must_use]
    pub fn constant(rate: f64) -> Self {
        Self(Kind::Constant(rate))
    }

    /// A straight line from `from` to `to` in `steps` steps, then `to`.
    #[must_use]
    pub fn linear(from: f64, to: f64, steps: u64) -> Self {
        Self::polynomial(from, to, 1.0, steps)
    }

    /// to + (from - to) (1 - t / steps)^power, then `to`.
    #[must_use]
    pub fn polynomial(from: f64, to: f64, power: f64, steps: u64) -> Self {
        Self(Kind::Polynomial {
            from,
            to,
            power,
            steps,
        })
    }

    /// Half a cosine from `from` to `to` in `steps` steps, then `to`:
    /// to + (from - to) (1 + cos(π t / steps)) / 2.
    #[must_use]
    pub fn cosine(from: f64, to: f64, steps: u64) -> Self {
        Self(Kind::Cosine { from, to, steps })
    }

    /// A straight line from `from` to `peak` in `warmup` steps, then a cosine down to `to`,
    /// which is reached after `steps` steps, the warm-up included.
    #[must_use]
    pub fn warmup_cosine(from: f64, peak: f64, warmup: u64, steps: u64, to: f64) -> Self {
        let down = Self::cosine(peak, to, steps.saturating_sub(warmup));
        Self::linear(from, peak, warmup).then(warmup, down)
    }

    /// from · factor^(t / steps).
    #[must_use]
    pub fn exponential(from: f64, factor: f64, steps: u64) -> Self {
        let staircase = false;
        Self(Kind::Exponential {
            from,
            factor,
            steps,
            staircase,
        })
    }

    /// As [`exponential`](Self::exponential), with a whole exponent: constant for `steps` steps,
    /// then multiplied by `factor`, and so on.
    #[must_use]
    pub fn staircase(from: f64, factor: f64, steps: u64) -> Self {
        let staircase = true;
        Self(Kind::Exponential {
            from,
            factor,
            steps,
            staircase,
        })
    }

    /// `from`, multiplied by each factor from its step on.
    ///
    /// ```
    /// use paramtree::optim::Schedule;
    ///
    /// let schedule = Schedule::piecewise(1.0, [(10, 0.5), (20, 0.5)]);
    /// assert_eq!([9, 10, 20].map(|step| schedule.rate(step)), [1.0, 0.5, 0.25]);
    /// ```
    #[must_use]
    pub fn piecewise(from: f64, factors: impl IntoIterator<Item = (u64, f64)>) -> Self {
        let factors = factors.into_iter().collect();
        Self(Kind::Piecewise { from, factors })
    }

    /// Any function of the count.
    #[must_use]
    pub fn custom(rate: impl Fn(u64) -> f64 + Send + Sync + 'static) -> Self {
        Self(Kind::Custom(Arc::new(rate)))
    }

    /// This schedule for `steps` steps, then another, which counts from there.
    ///
    /// ```
    /// use paramtree::optim::Schedule;
    ///
    /// let schedule = Schedule::constant(1.0).then(5, Schedule::linear(1.0, 0.0, 10));
    /// assert_eq!([5, 10, 15].map(|step| schedule.rate(step)), [1.0, 0.5, 0.0]);
    /// ```
    #[must_use]
    pub fn then(self, steps: u64, next: Self) -> Self {
        Self(Kind::Then(Arc::new(self), steps, Arc::new(next)))
    }

    /// The rate of the step before which `count` steps were taken.
    #[must_use]
    pub fn rate(&self, count: u64) -> f64 {
        match &self.0 {
            Kind::Constant(rate) => *rate,
            Kind::Polynomial {
                from,
                to,
                power,
                steps,
            } => (from - to) * (1.0 - share(count, *steps)).powf(*power) + to,
            Kind::Cosine { from, to, steps } => {
                let cosine = 0.5 * (1.0 + (PI * share(count, *steps)).cos());
                (from - to) * cosine + to
            }
            Kind::Exponential {
                from,
                factor,
                steps,
                staircase,
            } => {
                let exponent = number(count) / number((*steps).max(1));
                let whole = if *staircase {
                    exponent.floor()
                } else {
                    exponent
                };
                from * factor.powf(whole)
            }
            Kind::Piecewise { from, factors } => {
                let reached = factors.iter().filter(|(step, _)| *step <= count);
                reached.fold(*from, |rate, (_, factor)| rate * factor)
            }
            Kind::Then(first, steps, next) => match count.checked_sub(*steps) {
                None => first.rate(count),
                Some(count) => next.rate(count),
            },
            Kind::Custom(rate) => rate(count),
        }
    }
}

/// How much of `steps` has been taken, at most all. Nothing takes no time.
fn share(count: u64, steps: u64) -> f64 {
    if steps == 0 {
        return 1.0;
    }
    number(count.min(steps)) / number(steps)
}

#[allow(clippy::cast_precision_loss, reason = "no count is that large")]
pub(super) fn number(count: u64) -> f64 {
    count as f64
}

impl From<f64> for Schedule {
    fn from(rate: f64) -> Self {
        Self::constant(rate)
    }
}

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Constant(rate) => write!(f, "{rate}"),
            _ => write!(f, "Schedule({} at 0, …)", self.rate(0)),
        }
    }
}
