//! The state of an optimiser as a module: listed, frozen, read and written.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};

use ndarray::{Array1, array};
use paramtree::optim::{Adam, Builder, Ema, Optimizer, Rule, Schedule};
use paramtree::transform::{Positive, UnitInterval};
use paramtree::{
    At, Element, LeafMut, LeafRef, Mask, Module, Standing, Transform, Visitor, VisitorMut, leaves,
};

use crate::{all, bits, values};

#[derive(Clone, Debug, Module)]
struct Model {
    #[param(tag = "encoder")]
    w: Array1<f64>,
    narrow: Vec<f32>,
    #[param(transform = Positive)]
    scale: Array1<f64>,
    #[param(transform = UnitInterval)]
    p: f32,
    heads: HashMap<String, f64>,
    #[frozen]
    held: f64,
    seen: u32,
}

fn model(x: f32) -> Model {
    let wide = f64::from(x);
    Model {
        w: array![wide, -wide, 2.0 * wide],
        narrow: vec![x, 3.0 * x],
        scale: array![wide, 1.0 + wide],
        p: x,
        heads: HashMap::from([("a.b".to_owned(), wide), ("c".to_owned(), -wide)]),
        held: wide,
        seen: 7,
    }
}

#[test]
fn every_number_has_a_path() {
    let mut point = model(0.5);
    let mut optimizer = all(&point, Adam::new(0.1));
    optimizer.step(&mut point, &model(0.5)).unwrap();
    let all = leaves(&optimizer);
    let paths: Vec<&str> = all.iter().map(paramtree::Leaf::path).collect();
    let mut expected = vec!["steps".to_owned()];
    for leaf in ["w", "narrow", "scale", "p", "heads.\"a.b\"", "heads.c"] {
        for part in ["count", "mu", "nu"] {
            expected.push(format!("leaves.{leaf}.{part}"));
        }
        if leaf == "scale" || leaf == "p" {
            expected.push(format!("leaves.{leaf}.coordinates"));
        }
    }
    assert_eq!(paths, expected);
    assert!(all.iter().all(|leaf| leaf.standing() == Standing::Declared));
    let tagged = all.iter().filter(|leaf| leaf.tag() == Some("encoder"));
    assert!({ tagged }.all(|leaf| leaf.path().starts_with("leaves.w.")));

    let state = values(&optimizer);
    assert_eq!(state["steps"], [1.0]);
    assert_eq!(state["leaves.scale.nu"].len(), 2);
    assert_eq!(state["leaves.scale.coordinates"].len(), 2);
    assert_eq!(Mask::of(&optimizer).trained().count(), 0);
}

#[test]
fn what_waits_has_a_path_where_something_may_wait() {
    let point = model(0.5);
    let builder = Builder::new(Adam::new(0.1)).accumulate(2);
    let optimizer = builder.build(&point, &Mask::of(&point)).unwrap();
    let all = leaves(&optimizer);
    let waiting = all.iter().filter(|leaf| leaf.path().ends_with("waiting"));
    assert_eq!(waiting.count(), 1 + 6);
}

/// Numbers by path: what a file would hold.
#[derive(Default)]
struct File(BTreeMap<String, Box<dyn Any>>);

impl<'a> Visitor<'a> for File {
    fn leaf<T: Element>(&mut self, leaf: LeafRef<'a, T>, at: At<'_>, _: Option<&dyn Transform<T>>) {
        let numbers: Vec<T> = leaf.array_view().iter().copied().collect();
        self.0.insert(at.to_string(), Box::new(numbers));
    }
}

impl<'a> VisitorMut<'a> for File {
    fn leaf<T: Element>(&mut self, leaf: LeafMut<'a, T>, at: At<'_>, _: Option<&dyn Transform<T>>) {
        let numbers = &self.0[&at.to_string()];
        let numbers = numbers.downcast_ref::<Vec<T>>().unwrap();
        match leaf {
            LeafMut::Scalar(value) => *value = numbers[0],
            LeafMut::Vec(values) => values.clone_from(numbers),
            _ => panic!("{at}"),
        }
    }
}

fn copy<R: Rule>(from: &Optimizer<R>, to: &mut Optimizer<R>) {
    let mut file = File::default();
    from.visit(At::root(), &mut file);
    to.visit_mut(At::root(), &mut file);
    assert_eq!(bits(from), bits(to));
}

/// A gradient that depends on the step.
fn gradient(step: u16) -> Model {
    let mut gradient = model(0.25 * f32::from(step % 5) - 0.4);
    // Far beyond what a probability of 32 bits can say.
    gradient.p = -60.0;
    gradient
}

#[test]
fn a_copy_goes_on_bit_for_bit() {
    fn check<R: Rule>(rule: R) {
        let build = |mask: &Mask| {
            let builder = Builder::new(rule.clone()).accumulate(2);
            builder.build(&model(0.5), mask).unwrap()
        };
        let mut point = model(0.5);
        let mut mask = Mask::of(&point);
        let mut optimizer = build(&mask);
        for step in 0..7 {
            if step == 3 {
                optimizer.set_mask(mask.freeze("narrow").unwrap()).unwrap();
            }
            optimizer.step(&mut point, &gradient(step)).unwrap();
        }
        // In the middle of a mean, with a leaf asleep and another saturated.
        let mut other = build(&mask);
        copy(&optimizer, &mut other);
        let mut twin = point.clone();
        mask.thaw_all();
        for step in 7..20 {
            if step == 12 {
                optimizer.set_mask(&mask).unwrap();
                other.set_mask(&mask).unwrap();
            }
            let left = optimizer.step(&mut point, &gradient(step));
            assert_eq!(left, other.step(&mut twin, &gradient(step)));
            assert_eq!(bits(&point), bits(&twin));
            assert_eq!(bits(&optimizer), bits(&other));
        }
        assert_eq!(other.steps(), 10);
    }
    each_rule!(check);
}

#[test]
fn a_clone_is_a_copy() {
    let mut point = model(0.5);
    let mut optimizer = all(&point, Adam::new(0.1));
    optimizer.step(&mut point, &gradient(1)).unwrap();
    let (mut other, mut twin) = (optimizer.clone(), point.clone());
    optimizer.step(&mut point, &gradient(2)).unwrap();
    other.step(&mut twin, &gradient(2)).unwrap();
    assert_eq!(bits(&point), bits(&twin));
    assert_eq!(bits(&optimizer), bits(&other));
}

#[test]
fn both_walks_show_the_same() {
    struct Paths(Vec<String>);
    impl<'a> VisitorMut<'a> for Paths {
        fn leaf<T: Element>(
            &mut self,
            _: LeafMut<'a, T>,
            at: At<'_>,
            _: Option<&dyn Transform<T>>,
        ) {
            self.0.push(at.to_string());
        }
    }
    let mut optimizer = all(&model(0.5), Adam::new(0.1));
    let read: Vec<String> = bits(&optimizer).into_iter().map(|leaf| leaf.path).collect();
    let mut written = Paths(Vec::new());
    optimizer.visit_mut(At::root(), &mut written);
    assert_eq!(written.0, read);
}

#[test]
fn optimisers_may_be_sent_to_other_threads() {
    fn check<T: Send + Sync>() {}
    check::<Optimizer<Adam>>();
    check::<Ema<f32>>();
    check::<Schedule>();
}
