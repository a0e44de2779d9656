//! Optimisers with more than one rule for all leaves.

use super::optimizer::{Group, Optimizer, Options};
use super::rule::{Rule, check, check_limit};
use super::slot::{Change, Slot, Slots};
use crate::by::{By, claims};
use crate::element::Inexact;
use crate::error::Error;
use crate::fingerprint::choices;
use crate::mask::Mask;
use crate::module::Module;
use crate::structure::{Shapes, Structure};

/// What is done with a gradient of a trained leaf that is infinite or NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NonFinite {
    /// It is an error, and nothing has changed.
    #[default]
    Refuse,
    /// The whole step is skipped, which [`Step::Skipped`](super::Step::Skipped) tells, and
    /// nothing has changed.
    Skip,
    /// It is used: the leaf and its moments become NaN. Gradients are not looked at before the
    /// step, which saves a pass over them: for who knows that they are finite.
    Allow,
}

/// What an optimiser is built from: a rule, groups of leaves with rules of their own, and what
/// holds for all of them.
///
/// ```
/// use ndarray::{Array1, Array2};
/// use paramtree::optim::{AdamW, Schedule};
/// use paramtree::{By, Mask, Module};
///
/// #[derive(Module)]
/// struct Net {
///     encoder: Array2<f64>,
///     #[param(tag = "head")]
///     weight: Array2<f64>,
///     #[param(tag = "head")]
///     bias: Array1<f64>,
/// }
///
/// let net = Net {
///     encoder: Array2::zeros((3, 2)),
///     weight: Array2::zeros((2, 2)),
///     bias: Array1::zeros(2),
/// };
/// let schedule = Schedule::warmup_cosine(1e-5, 1e-3, 100, 1000, 0.0);
/// let opt = AdamW::new(schedule)
///     .builder()
///     .group("head", By::Tag("head"), |rule| rule.lr(1e-2).weight_decay(0.0))
///     .clip_global_norm(1.0)
///     .build(&net, &Mask::of(&net))?;
/// assert_eq!(opt.group_of("bias")?, "head");
/// assert_eq!(opt.group_of("encoder")?, "default");
/// # Ok::<(), paramtree::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "an optimiser is made by `build`"]
pub struct Builder<'g, R> {
    groups: Vec<(String, Option<By<'g>>, R)>,
    decay_mask: Option<&'g Mask>,
    options: Options,
}

impl<'g, R: Rule> Builder<'g, R> {
    /// One rule for all leaves, the group `default`.
    pub fn new(rule: R) -> Self {
        Self {
            groups: vec![("default".to_owned(), None, rule)],
            decay_mask: None,
            options: Options::default(),
        }
    }

    /// Gives some leaves a rule of their own, made of the default one. Leaves that are in no
    /// group stay in the default one.
    pub fn group(mut self, name: &str, by: By<'g>, rule: impl FnOnce(R) -> R) -> Self {
        let rule = rule(self.groups[0].2.clone());
        self.groups.push((name.to_owned(), Some(by), rule));
        self
    }

    /// Limits weight decay to the leaves that train under this mask. Leaves with a transform
    /// need their rule's `decay_transformed` besides.
    pub fn decay_mask(mut self, mask: &'g Mask) -> Self {
        self.decay_mask = Some(mask);
        self
    }

    /// Limits the Euclidean norm of the whole gradient, of the leaves that train, in
    /// unconstrained space. A norm that is no greater changes nothing. Limits of a group are
    /// applied before.
    pub fn clip_global_norm(mut self, limit: f64) -> Self {
        self.options.max_norm = Some(limit);
        self
    }

    /// Takes a step only at each `n`th gradient, with the mean of `n`. A leaf that is frozen
    /// meanwhile forgets those that wait.
    pub fn accumulate(mut self, n: u32) -> Self {
        self.options.accumulate = n;
        self
    }

    /// Whether a leaf that trains may come without a gradient, an empty array: it then takes no
    /// step, nor does it decay or count. Else that is an error.
    pub fn allow_missing(mut self, allow: bool) -> Self {
        self.options.allow_missing = allow;
        self
    }

    /// What is done with a gradient that is not finite.
    pub fn non_finite(mut self, non_finite: NonFinite) -> Self {
        self.options.non_finite = non_finite;
        self
    }

    /// An optimiser of the leaves that a mask trains.
    ///
    /// # Errors
    ///
    /// The mask is of a model of another structure; a setting makes no sense; a group selects
    /// no leaf, a leaf is in two (all are listed), or two have one name; a transform refuses its own parameters or
    /// the shape of its leaf.
    pub fn build<M: Module + ?Sized>(self, model: &M, mask: &Mask) -> Result<Optimizer<R>, Error> {
        mask.check(model)?;
        self.check()?;
        let structure = Structure::of(model);
        let named = self.groups.iter();
        let named = named.filter_map(|(name, by, _)| Some((name.clone(), (*by)?)));
        let leaves = &structure.leaves;
        let claims = claims(named, leaves, |i| leaves[i].is_trainable())?;
        if let Some(mask) = self.decay_mask {
            mask.structure.compare(leaves, Shapes::Any)?;
        }
        let mut slots = Slots::of(model, &structure)?;
        slots.each(Assign {
            claims: &claims,
            decay_mask: self.decay_mask,
            accumulates: self.options.accumulate > 1,
        });
        let groups = self.groups.into_iter();
        let groups = groups
            .map(|(name, _, rule)| Group {
                name,
                rule,
                lr: 0.0,
            })
            .collect();
        let choices = choices(model);
        let mut optimizer = Optimizer::new(structure, choices, slots, groups, self.options);
        optimizer.set_mask(mask)?;
        Ok(optimizer)
    }

    fn check(&self) -> Result<(), Error> {
        for (i, (name, _, rule)) in self.groups.iter().enumerate() {
            check_rule(rule)?;
            if self.groups[..i].iter().any(|(other, ..)| other == name) {
                let name = name.clone();
                return Err(Error::DoubledGroup { name });
            }
        }
        let n = f64::from(self.options.accumulate);
        check("accumulate", n, "at least 1", |n| n >= 1.0)?;
        self.options
            .max_norm
            .map_or(Ok(()), |limit| check_limit("clip_global_norm", limit))
    }
}

pub(super) fn check_rule<R: Rule>(rule: &R) -> Result<(), Error> {
    let settings = rule.settings();
    check("lr", settings.lr.rate(0), "at least 0", |v| v >= 0.0)?;
    settings.check()?;
    rule.check()
}

struct Assign<'b> {
    claims: &'b [Option<usize>],
    decay_mask: Option<&'b Mask>,
    accumulates: bool,
}

impl Change for Assign<'_> {
    fn change<T: Inexact>(&mut self, slot: &mut Slot<T>) {
        // The default group stands before the others.
        slot.group = self.claims[slot.leaf].map_or(0, |group| group + 1);
        if self.accumulates {
            slot.extra.get_or_insert_default();
        }
        slot.decays = self.decay_mask.is_none_or(|mask| mask.trains[slot.leaf]);
    }
}
