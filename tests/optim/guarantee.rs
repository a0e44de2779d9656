//! Whatever the tree, the rule and the gradients: a frozen leaf keeps its bits, and what is
//! refused changes nothing.

use std::collections::BTreeSet;

use paramtree::optim::{
    Adam, AdamW, Builder, Lion, NAdamW, NonFinite, Optimizer, RmsProp, Rule, Schedule, Sgd, Step,
};
use paramtree::{Layout, Mask};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::tree::{Tree, gradient, masked, tree};
use crate::{Bits, bits};

/// What may be done to a model and its optimiser.
#[derive(Clone, Debug)]
enum Act {
    Step { numbers: Vec<f64>, spoilt: bool },
    Flat { numbers: Vec<f64>, narrow: bool },
    Mask(Vec<bool>),
    Forget(usize),
    Rate(f64),
}

fn act() -> impl Strategy<Value = Act> {
    // Mostly of no great size, and now and then so great that squares overflow.
    let number = || prop_oneof![20 => -3.0..3.0_f64, 1 => Just(0.0), 1 => Just(1e200)];
    let numbers = move || vec(number(), 1..9);
    prop_oneof![
        6 => (numbers(), proptest::bool::weighted(0.1))
            .prop_map(|(numbers, spoilt)| Act::Step { numbers, spoilt }),
        2 => (numbers(), any::<bool>())
            .prop_map(|(numbers, narrow)| Act::Flat { numbers, narrow }),
        3 => vec(any::<bool>(), 1..8).prop_map(Act::Mask),
        1 => any::<usize>().prop_map(Act::Forget),
        1 => prop_oneof![0.0..1.0, Just(-1.0)].prop_map(Act::Rate),
    ]
}

#[derive(Clone, Debug)]
struct Plan {
    tree: Tree,
    acts: Vec<Act>,
    flags: Vec<bool>,
    rate: f64,
    share: f64,
    decay: f64,
    on: [bool; 4],
    accumulate: u32,
    non_finite: NonFinite,
}

fn non_finite() -> impl Strategy<Value = NonFinite> {
    prop_oneof![
        3 => Just(NonFinite::Refuse),
        1 => Just(NonFinite::Skip),
        1 => Just(NonFinite::Allow),
    ]
}

fn plan() -> impl Strategy<Value = Plan> {
    let what = (tree(), vec(act(), 1..12), vec(any::<bool>(), 0..8));
    let numbers = (0.0..1.0, 0.0..0.99, 0.0..0.5, 1..3_u32);
    let choices = (any::<[bool; 4]>(), non_finite());
    (what, numbers, choices).prop_map(|(what, numbers, (on, non_finite))| {
        let (tree, acts, flags) = what;
        let (rate, share, decay, accumulate) = numbers;
        Plan {
            tree,
            acts,
            flags,
            rate,
            share,
            decay,
            on,
            accumulate,
            non_finite,
        }
    })
}

impl Plan {
    fn build<R: Rule>(&self, rule: R, mask: &Mask) -> Optimizer<R> {
        let [clips, allows, decays, _] = self.on;
        let decaying = masked(&self.tree, &[decays, true]);
        let mut builder = Builder::new(rule)
            .accumulate(self.accumulate)
            .non_finite(self.non_finite)
            .allow_missing(allows)
            .decay_mask(&decaying);
        if clips {
            builder = builder.clip_global_norm(self.rate);
        }
        builder.build(&self.tree, mask).unwrap()
    }

    /// Does all that is planned, and checks after each act what must not have changed.
    fn run<R: Rule>(&self, rule: R, with_rate: impl Fn(R, f64) -> R) -> Result<(), TestCaseError> {
        let mut mask = masked(&self.tree, &self.flags);
        let mut optimizer = self.build(rule, &mask);
        let mut model = self.tree.clone();
        for act in &self.acts {
            let before = (bits(&model), bits(&optimizer));
            let changed = match act {
                Act::Step { numbers, spoilt } => {
                    let gradient = gradient(&model, &mask, numbers, *spoilt);
                    taken(optimizer.step(&mut model, &gradient))
                }
                Act::Flat { numbers, narrow } => {
                    flat(&mut optimizer, &mut model, &mask, numbers, *narrow)
                }
                Act::Mask(flags) => {
                    mask = masked(&model, flags);
                    optimizer.set_mask(&mask).is_ok()
                }
                Act::Forget(leaf) => forget(&mut optimizer, *leaf),
                Act::Rate(rate) => {
                    let changed = optimizer.configure(|rule| with_rate(rule, *rate));
                    changed.is_ok()
                }
            };
            let after = (bits(&model), bits(&optimizer));
            if !changed {
                prop_assert_eq!(&after, &before, "{:?}", act);
            }
            let frozen = held(&mask);
            let kept = |bits: &[Bits]| -> Vec<Bits> {
                let kept = bits.iter().filter(|leaf| frozen.contains(&leaf.path));
                kept.cloned().collect()
            };
            prop_assert_eq!(kept(&after.0), kept(&before.0), "{:?}", act);
            prop_assert_eq!(held(&optimizer.mask()), frozen);
        }
        let (mask, all) = (masked(&self.tree, &[false]), bits(&self.tree));
        let declared = mask.iter().filter(|(leaf, _)| !leaf.is_trainable());
        let declared: BTreeSet<_> = declared.map(|(leaf, _)| leaf.path()).collect();
        for (before, after) in all.iter().zip(&bits(&model)) {
            if declared.contains(&*before.path) {
                prop_assert_eq!(before, after);
            }
        }
        Ok(())
    }
}

/// Whether the step may have changed anything.
fn taken(step: Result<Step, paramtree::Error>) -> bool {
    !matches!(step, Err(_) | Ok(Step::Skipped(_)))
}

fn flat<R: Rule>(
    optimizer: &mut Optimizer<R>,
    model: &mut Tree,
    mask: &Mask,
    numbers: &[f64],
    narrow: bool,
) -> bool {
    let Ok(layout) = Layout::new(model, mask) else {
        return taken(optimizer.step_flat(model, numbers));
    };
    let flat = numbers.iter().copied().cycle().take(layout.len());
    if narrow {
        #[allow(clippy::cast_possible_truncation)] // a random number, whichever
        let flat: Vec<f32> = flat.map(|x| x as f32).collect();
        return taken(optimizer.step_flat(model, &flat));
    }
    let flat: Vec<f64> = flat.collect();
    taken(optimizer.step_flat(model, &flat))
}

/// Forgets one of the leaves, or a leaf that is not there.
fn forget<R: Rule>(optimizer: &mut Optimizer<R>, leaf: usize) -> bool {
    let mask = optimizer.mask();
    let paths: Vec<_> = mask.iter().map(|(leaf, _)| leaf.path()).collect();
    let number = leaf % (paths.len() + 1);
    let path = paths.get(number).copied().unwrap_or("no.such.leaf");
    !path.is_empty() && optimizer.forget(path).is_ok()
}

/// The paths of the leaves that do not train.
fn held(mask: &Mask) -> BTreeSet<String> {
    let held = mask.iter().filter(|(_, trains)| !trains);
    held.map(|(leaf, _)| leaf.path().to_owned()).collect()
}

fn momentum() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), 0.0..0.99]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn of_sgd(plan in plan(), momentum in momentum(), nesterov in any::<bool>()) {
        let rule = Sgd::new(plan.rate).momentum(momentum).nesterov(nesterov);
        let rule = rule.weight_decay(plan.decay).decay_transformed(plan.on[3]);
        plan.run(rule, |rule, rate| rule.lr(rate).momentum(0.5))?;
    }

    #[test]
    fn of_adam(plan in plan(), eps in 0.0..1e-3) {
        let rule = Adam::new(plan.rate).betas(plan.share, 0.9 * plan.share).eps(eps);
        plan.run(rule.clip_value(2.0), Adam::lr)?;
    }

    #[test]
    fn of_adamw(plan in plan()) {
        let schedule = Schedule::warmup_cosine(plan.rate, 1.0, 3, 9, 0.1);
        let rule = AdamW::new(schedule).weight_decay(plan.decay).decay_transformed(plan.on[2]);
        plan.run(rule, AdamW::lr)?;
    }

    #[test]
    fn of_nadamw(plan in plan()) {
        let rule = NAdamW::new(plan.rate).betas(plan.share, plan.share);
        let rule = rule.weight_decay(plan.decay).decay_transformed(plan.on[2]);
        plan.run(rule, NAdamW::lr)?;
    }

    #[test]
    fn of_rms_prop(plan in plan(), momentum in momentum()) {
        let rule = RmsProp::new(plan.rate).alpha(plan.share).momentum(momentum);
        let rule = rule.weight_decay(plan.decay).decay_transformed(plan.on[2]);
        plan.run(rule, RmsProp::lr)?;
    }

    #[test]
    fn of_lion(plan in plan()) {
        let rule = Lion::new(plan.rate).betas(plan.share, plan.share).clip_norm(1.0);
        let rule = rule.weight_decay(plan.decay).decay_transformed(plan.on[2]);
        plan.run(rule, Lion::lr)?;
    }
}
