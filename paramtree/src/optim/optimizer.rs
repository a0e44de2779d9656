//! The optimiser: its parts, and how a step goes.

use std::sync::Arc;

use super::builder::{NonFinite, check_rule};
use super::collected::{Collected, Given};
use super::rule::{Rule, check};
use super::schedule::Schedule;
use super::slot::{Change, Slot, Slots};
use super::{apply, clip, collect, finite, pull};
use crate::element::Inexact;
use crate::error::Error;
use crate::mask::Mask;
use crate::module::Module;
use crate::pattern::nearest;
use crate::structure::{Shapes, Structure};

/// A first-order optimiser of the leaves of a model that a mask trains.
///
/// It is made by a rule's `build`, or by a [`Builder`](super::Builder). Leaves that do not
/// train keep their bits, whatever the rule, the decay or the gradient: they are not given to
/// the rule at all. Leaves with a transform are updated in unconstrained space, and their
/// gradients, which come in natural space, pulled back.
///
/// All is checked before the first write. On an error, model and optimiser are as they were.
///
/// ```
/// use paramtree::optim::AdamW;
/// use paramtree::transform::Positive;
/// use paramtree::{Mask, Module};
///
/// #[derive(Module)]
/// struct Model {
///     weight: Vec<f64>,
///     #[param(transform = Positive)]
///     noise: f64,
///     #[frozen]
///     scale: Vec<f64>,
/// }
///
/// let mut model = Model { weight: vec![1.0, 2.0], noise: 0.5, scale: vec![10.0] };
/// let mut mask = Mask::of(&model);
/// let mut opt = AdamW::new(1e-3).build(&model, &mask)?;
///
/// // A gradient is a value of the model's type, empty where frozen.
/// let gradient = Model { weight: vec![0.1, -0.2], noise: 3.0, scale: vec![] };
/// opt.step(&mut model, &gradient)?;
/// assert!(model.noise < 0.5 && model.scale == [10.0]);
///
/// // Hold the weights for a while: their moments sleep.
/// opt.set_mask(mask.freeze("weight")?)?;
/// let held = model.weight.clone();
/// opt.step(&mut model, &gradient)?;
/// assert_eq!(model.weight, held);
/// assert_eq!((opt.count("weight")?, opt.count("noise")?), (1, 2));
/// # Ok::<(), paramtree::Error>(())
/// ```
///
/// # State
///
/// Moments and step counts are kept per leaf, and only of leaves that have trained. While a
/// leaf is frozen they sleep; when it is thawed, it goes on with its own count: the first Adam
/// step of a leaf is the learning rate, whenever it comes. [`forget`](Self::forget) starts a
/// leaf anew, and [`bytes`](Self::bytes) tells what is held. An optimiser is itself a
/// [`Module`], whose leaves are its state, named by the paths of the model.
///
/// Of a leaf with a transform its coordinates are kept as well, so that a value which has come
/// so near to a bound that its digits run out goes on from where it is. If the model's value
/// was changed meanwhile, it counts, and they are forgotten.
///
/// # Precision
///
/// A leaf is stepped in its own precision, `f32` or `f64`; what is the same for a whole leaf,
/// such as the corrections of Adam's moments, is computed in `f64` and rounded once. What
/// overflows, overflows: a finite gradient of 1e300 may make an infinite moment.
#[derive(Clone, Debug)]
pub struct Optimizer<R> {
    pub(super) structure: Arc<Structure>,
    /// The choices of the model's walk, which its gradients share.
    choices: u64,
    pub(super) slots: Slots,
    pub(super) groups: Vec<Group<R>>,
    pub(super) options: Options,
    /// The steps that were taken.
    pub(super) steps: u64,
    /// The gradients that wait for their step.
    pub(super) waiting: u32,
    /// Whether a leaf with a transform trains.
    pub(super) pulls: bool,
    /// Kept for their allocations.
    collected: Collected<'static>,
    cast: collect::Cast,
}

#[derive(Clone, Debug)]
pub(super) struct Group<R> {
    pub(super) name: String,
    pub(super) rule: R,
    /// The learning rate of the current step.
    pub(super) lr: f64,
}

/// What holds for all groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) max_norm: Option<f64>,
    pub(super) accumulate: u32,
    pub(super) allow_missing: bool,
    pub(super) non_finite: NonFinite,
}

impl Options {
    /// Whether it matters that a gradient is not finite.
    pub(super) fn looks(&self) -> bool {
        self.non_finite != NonFinite::Allow
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_norm: None,
            accumulate: 1,
            allow_missing: false,
            non_finite: NonFinite::Refuse,
        }
    }
}

/// What became of a gradient.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Step {
    /// The model has been updated.
    Taken,
    /// It waits for the others of its mean.
    Accumulated,
    /// It was not finite, as this error tells, and nothing has changed.
    Skipped(Error),
}

impl<R: Rule> Optimizer<R> {
    pub(super) fn new(
        structure: Arc<Structure>,
        choices: u64,
        slots: Slots,
        groups: Vec<Group<R>>,
        options: Options,
    ) -> Self {
        Self {
            structure,
            choices,
            slots,
            groups,
            options,
            steps: 0,
            waiting: 0,
            pulls: false,
            collected: Collected::default(),
            cast: collect::Cast::default(),
        }
    }

    /// Takes a step. `gradient` holds the derivatives in natural space as a value of the
    /// model's type, a leaf for a leaf. Where a leaf does not train, its gradient is not read,
    /// and may be an empty array.
    ///
    /// # Errors
    ///
    /// The model has another structure or shape than the one this was built for, or the
    /// gradient another structure; a trained leaf's gradient has another shape, or is missing,
    /// infinite or NaN; a transform refuses a value of the model; or a schedule gives no rate
    /// that makes sense. Nothing has then changed.
    pub fn step<M: Module + ?Sized>(&mut self, model: &mut M, gradient: &M) -> Result<Step, Error> {
        self.structure.check(model, Shapes::Same)?;
        let mut collected = std::mem::take(&mut self.collected).reuse();
        let result = collect::of_model(self, gradient, self.choices, &mut collected)
            .and_then(|()| self.go(model, &mut collected, Given::Natural));
        self.collected = collected.reuse();
        result
    }

    /// Takes a step, the gradient given as a flat vector in unconstrained space, laid out as a
    /// [`Layout`](crate::Layout) of the model under this mask.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step), or the vector has another length.
    pub fn step_flat<F: Inexact, M: Module + ?Sized>(
        &mut self,
        model: &mut M,
        gradient: &[F],
    ) -> Result<Step, Error> {
        self.structure.check(model, Shapes::Same)?;
        let mut cast = std::mem::take(&mut self.cast);
        let mut collected = std::mem::take(&mut self.collected).reuse();
        let result = cast.fill(self, gradient).and_then(|()| {
            collect::of_flat(self, gradient, &cast, &mut collected);
            self.go(model, &mut collected, Given::Flat)
        });
        self.collected = collected.reuse();
        self.cast = cast;
        result
    }

    fn go<M: Module + ?Sized>(
        &mut self,
        model: &mut M,
        collected: &mut Collected<'_>,
        given: Given,
    ) -> Result<Step, Error> {
        for Group { rule, lr, .. } in &mut self.groups {
            *lr = rule.settings().lr.rate(self.steps);
            check("lr", *lr, "at least 0", |v| v >= 0.0)?;
        }
        pull::pull(self, model, collected, given)?;
        if collected.not_finite {
            let error = finite::not_finite(self, collected);
            return match self.options.non_finite {
                NonFinite::Skip => Ok(Step::Skipped(error)),
                _ => Err(error),
            };
        }
        if self.options.accumulate > 1 && !collect::accumulate(self, collected) {
            return Ok(Step::Accumulated);
        }
        clip::shape(self, collected);
        apply::apply(self, model, collected);
        self.steps += 1;
        Ok(Step::Taken)
    }

    /// Changes which leaves train. What is frozen sleeps, and what was forgotten or never
    /// trained starts anew.
    ///
    /// # Errors
    ///
    /// The mask is of a model of another structure.
    pub fn set_mask(&mut self, mask: &Mask) -> Result<&mut Self, Error> {
        mask.structure
            .compare(&self.structure.leaves, Shapes::Any)?;
        self.pulls = false;
        self.slots.each(Train {
            trains: &mask.trains,
            groups: &self.groups,
            pulls: &mut self.pulls,
        });
        Ok(self)
    }

    /// Gives every group another learning rate. A schedule counts from here, as that of a new
    /// phase should.
    ///
    /// ```
    /// use paramtree::optim::{Schedule, Sgd};
    /// use paramtree::{Mask, Module};
    ///
    /// #[derive(Module)]
    /// struct Point(f64);
    ///
    /// let mut point = Point(0.0);
    /// let mut opt = Sgd::new(1.0).build(&point, &Mask::of(&point))?;
    /// opt.step(&mut point, &Point(1.0))?;
    /// opt.set_lr(Schedule::linear(0.5, 0.0, 2))?;
    /// opt.step(&mut point, &Point(1.0))?;
    /// opt.step(&mut point, &Point(1.0))?;
    /// assert_eq!(point.0, -1.0 - 0.5 - 0.25);
    /// # Ok::<(), paramtree::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The rate is negative or not finite. No rule has then changed.
    pub fn set_lr(&mut self, lr: impl Into<Schedule>) -> Result<&mut Self, Error> {
        let lr = Schedule::constant(0.0).then(self.steps, lr.into());
        check("lr", lr.rate(self.steps), "at least 0", |v| v >= 0.0)?;
        for group in &mut self.groups {
            group.rule.settings_mut().lr = lr.clone();
        }
        Ok(self)
    }

    /// Changes the rule of every group.
    ///
    /// # Errors
    ///
    /// A setting makes no sense. No rule has then changed.
    pub fn configure(&mut self, change: impl Fn(R) -> R) -> Result<&mut Self, Error> {
        let changed = self.groups.iter().map(|group| change(group.rule.clone()));
        let changed: Vec<R> = changed.collect();
        self.put_rules(0, changed)
    }

    /// Changes the rule of one group: `default` is that of the leaves in no other.
    ///
    /// # Errors
    ///
    /// There is no such group; or a setting makes no sense. No rule has then changed.
    pub fn configure_group(
        &mut self,
        name: &str,
        change: impl FnOnce(R) -> R,
    ) -> Result<&mut Self, Error> {
        let Some(i) = self.groups.iter().position(|group| group.name == name) else {
            let groups = self.groups.iter().map(|group| group.name.clone());
            return Err(Error::NoGroup {
                name: name.to_owned(),
                groups: groups.collect(),
            });
        };
        let changed = change(self.groups[i].rule.clone());
        self.put_rules(i, vec![changed])
    }

    fn put_rules(&mut self, from: usize, rules: Vec<R>) -> Result<&mut Self, Error> {
        rules.iter().try_for_each(check_rule)?;
        for (group, rule) in self.groups[from..].iter_mut().zip(rules) {
            group.rule = rule;
        }
        // A rule may remember more than before.
        let trains = self.trains();
        self.slots.each(Train {
            trains: &trains,
            groups: &self.groups,
            pulls: &mut self.pulls,
        });
        Ok(self)
    }

    /// For each leaf, whether it trains.
    fn trains(&self) -> Vec<bool> {
        let mut trains = vec![false; self.structure.leaves.len()];
        for head in self.slots.iter().map(|slot| slot.head()) {
            trains[head.leaf] = head.trains;
        }
        trains
    }

    /// Which leaves train.
    #[must_use]
    pub fn mask(&self) -> Mask {
        Mask {
            structure: self.structure.clone(),
            trains: self.trains(),
        }
    }

    /// The steps that were taken, of whatever leaves.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The place of a path among all leaves.
    pub(super) fn find(&self, path: &str) -> Result<usize, Error> {
        let leaves = &self.structure.leaves;
        let leaf = leaves.iter().position(|leaf| leaf.path == path);
        leaf.ok_or_else(|| Error::NoMatch {
            pattern: path.to_owned(),
            nearest: nearest(path, leaves),
        })
    }
}

struct Train<'o, R> {
    trains: &'o [bool],
    groups: &'o [Group<R>],
    pulls: &'o mut bool,
}

impl<R: Rule> Change for Train<'_, R> {
    fn change<T: Inexact>(&mut self, slot: &mut Slot<T>) {
        slot.trains = self.trains[slot.leaf];
        if slot.trains {
            *self.pulls |= slot.has_transform;
            slot.furnish(self.groups[slot.group].rule.moments().len());
        } else {
            slot.stop_waiting();
        }
    }
}
