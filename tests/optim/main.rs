//! The optimisers: the steps that Optax takes, and leaves that none of them can touch.

#![allow(clippy::float_cmp)] // what is compared is exact: copied, or computed without rounding
#![allow(clippy::needless_pass_by_value)] // every rule is handed over alike

/// Calls a function with each of the rules, a decay set in those that have one.
macro_rules! each_rule {
    ($check:expr) => {{
        use paramtree::optim::{Adam, AdamW, Lion, NAdamW, RmsProp, Sgd};
        let momentum = Sgd::new(0.1).weight_decay(0.01).momentum(0.9);
        let rms_prop = RmsProp::new(0.1).weight_decay(0.01);
        $check(Sgd::new(0.1).weight_decay(0.01));
        $check(momentum.clone());
        $check(momentum.nesterov(true));
        $check(Adam::new(0.1));
        $check(AdamW::new(0.1).weight_decay(0.01));
        $check(NAdamW::new(0.1).weight_decay(0.01));
        $check(rms_prop.clone());
        $check(rms_prop.momentum(0.9));
        $check(Lion::new(0.1).weight_decay(0.01));
    }};
}

mod accumulation;
mod averages;
mod buffer;
mod clipping;
#[path = "../shared/exact_json.rs"]
mod exact_json;
mod finite;
mod flat;
mod freezing;
mod frozen;
mod gradients;
mod groups;
mod guarantee;
mod json;
mod masks;
mod memory;
mod narrow;
#[path = "../shared/numbers.rs"]
mod numbers;
mod parallel;
mod problem;
mod rules;
mod saturation;
mod schedules;
mod settings;
mod sleeping;
mod spaces;
mod state;
mod structure;
mod trajectories;
mod tree;
mod wrappers;

use std::any::Any;
use std::collections::BTreeMap;

use paramtree::optim::{Builder, Optimizer, Rule};
use paramtree::transform::Transform;
use paramtree::{At, Element, Error, LeafRef, Mask, Module, Visitor};

use numbers::{assert_near, element_bits};

/// An optimiser of all leaves.
fn all<R: Rule, M: Module>(model: &M, rule: R) -> Optimizer<R> {
    Builder::new(rule).build(model, &Mask::of(model)).unwrap()
}

/// An optimiser of all leaves but those that a pattern selects.
fn all_but<R: Rule, M: Module>(model: &M, pattern: &str, rule: R) -> Optimizer<R> {
    let mut mask = Mask::of(model);
    mask.freeze(pattern).unwrap();
    Builder::new(rule).build(model, &mask).unwrap()
}

/// Takes a step that must fail, and change nothing.
fn refused<R: Rule, M: Module>(optimizer: &mut Optimizer<R>, model: &mut M, gradient: &M) -> Error {
    let before = (bits(model), bits(optimizer));
    let error = optimizer.step(model, gradient).unwrap_err();
    assert_eq!((bits(model), bits(optimizer)), before);
    error
}

/// Every leaf with its numbers, by its path.
fn values<M: Module + ?Sized>(model: &M) -> BTreeMap<String, Vec<f64>> {
    struct Values(BTreeMap<String, Vec<f64>>);
    impl<'a> Visitor<'a> for Values {
        fn leaf<T: Element>(
            &mut self,
            leaf: LeafRef<'a, T>,
            at: At<'_>,
            _: Option<&dyn Transform<T>>,
        ) {
            let numbers = leaf.array_view().iter().map(number).collect();
            self.0.insert(at.to_string(), numbers);
        }
    }
    let mut values = Values(BTreeMap::new());
    model.visit(At::root(), &mut values);
    values.0
}

fn number<T: Element>(value: &T) -> f64 {
    let any: &dyn Any = value;
    let narrow = any.downcast_ref::<f32>();
    narrow.map_or_else(|| value.to_string().parse().unwrap(), |&x| x.into())
}

/// A leaf, with the bits of its elements in logical order and of the coordinates that it keeps.
#[derive(Clone, Debug, PartialEq)]
struct Bits {
    path: String,
    elements: Vec<String>,
    coordinates: Option<Vec<String>>,
}

fn bits<M: Module + ?Sized>(model: &M) -> Vec<Bits> {
    struct All(Vec<Bits>);
    impl<'a> Visitor<'a> for All {
        fn leaf<T: Element>(
            &mut self,
            leaf: LeafRef<'a, T>,
            at: At<'_>,
            _: Option<&dyn Transform<T>>,
        ) {
            let coordinates = leaf.coordinates();
            self.0.push(Bits {
                path: at.to_string(),
                elements: leaf.array_view().iter().map(element_bits).collect(),
                coordinates: coordinates.map(|x| x.iter().map(element_bits).collect()),
            });
        }
    }
    let mut all = All(Vec::new());
    model.visit(At::root(), &mut all);
    all.0
}
