//! Steps with the mean of several gradients.

use ndarray::{Array1, array};
use paramtree::optim::{Builder, Optimizer, Rule, Sgd, Step};
use paramtree::transform::Positive;
use paramtree::{Mask, Module};

use crate::{all, assert_near, bits, refused, values};

#[derive(Clone, Debug, Module)]
struct Model {
    w: Array1<f64>,
    narrow: f32,
    #[param(transform = Positive)]
    scale: f64,
}

#[allow(clippy::cast_possible_truncation)] // small whole numbers
fn model(x: f64) -> Model {
    Model {
        w: array![x, -x],
        narrow: x as f32,
        scale: x,
    }
}

fn accumulating<R: Rule>(rule: R, n: u32) -> Optimizer<R> {
    let start = model(1.0);
    let builder = Builder::new(rule).accumulate(n);
    builder.build(&start, &Mask::of(&start)).unwrap()
}

#[test]
fn the_mean_of_n_is_one_step() {
    fn check<R: Rule>(rule: R) {
        let (mut each, mut mean) = (model(1.0), model(1.0));
        let mut by_parts = accumulating(rule.clone(), 4);
        let mut at_once = all(&mean, rule);
        for round in 1..=3 {
            // The mean is 3, and each mean on the way there needs few bits.
            for g in [1.0, 2.0, 3.0] {
                let step = by_parts.step(&mut each, &model(g));
                assert_eq!(step, Ok(Step::Accumulated));
                assert_eq!(by_parts.steps(), round - 1);
            }
            assert_eq!(by_parts.step(&mut each, &model(6.0)), Ok(Step::Taken));
            at_once.step(&mut mean, &model(3.0)).unwrap();
            assert_eq!(by_parts.steps(), round);
            assert_eq!(by_parts.count("w").unwrap(), round);
        }
        for (path, each) in values(&each) {
            for (each, mean) in each.iter().zip(&values(&mean)[&path]) {
                assert_near(*each, *mean, 1e-13);
            }
        }
    }
    each_rule!(check);
}

#[test]
fn nothing_moves_while_it_waits() {
    fn check<R: Rule>(rule: R) {
        let mut point = model(1.0);
        let mut optimizer = accumulating(rule, 3);
        for _ in 0..2 {
            optimizer.step(&mut point, &model(5.0)).unwrap();
            assert_eq!(bits(&point), bits(&model(1.0)));
        }
        optimizer.step(&mut point, &model(5.0)).unwrap();
        assert!(point.w[0] < 1.0 && point.narrow < 1.0 && point.scale < 1.0);
    }
    each_rule!(check);
}

#[test]
fn a_gradient_that_is_refused_is_not_of_the_mean() {
    let mut point = model(0.0);
    point.scale = 1.0;
    let mut optimizer = accumulating(Sgd::new(1.0), 2);
    optimizer.step(&mut point, &model(1.0)).unwrap();
    refused(&mut optimizer, &mut point, &model(f64::NAN));
    assert_eq!(optimizer.step(&mut point, &model(3.0)), Ok(Step::Taken));
    assert_eq!(point.w, array![-2.0, 2.0]);
}

#[test]
fn a_leaf_that_is_frozen_meanwhile_stays() {
    fn check<R: Rule>(rule: R) {
        let mut point = model(1.0);
        let mut mask = Mask::of(&point);
        let mut optimizer = accumulating(rule, 2);
        optimizer.step(&mut point, &model(1.0)).unwrap();
        optimizer.set_mask(mask.freeze("w").unwrap()).unwrap();
        for _ in 0..5 {
            optimizer.step(&mut point, &model(1.0)).unwrap();
        }
        assert_eq!(optimizer.steps(), 3);
        assert_eq!(bits(&point)[0], bits(&model(1.0))[0]);
        assert!(point.narrow < 1.0);
    }
    each_rule!(check);
}

#[test]
fn what_waits_is_forgotten_with_the_rest() {
    let mut point = model(0.0);
    point.scale = 1.0;
    let mut optimizer = accumulating(Sgd::new(1.0), 2);
    optimizer.step(&mut point, &model(1.0)).unwrap();
    optimizer.forget("w").unwrap();
    optimizer.step(&mut point, &model(3.0)).unwrap();
    assert_eq!((point.w, point.narrow), (array![-3.0, 3.0], -2.0));
}

#[test]
fn a_limit_is_for_the_mean() {
    let mut point = model(0.0);
    point.scale = 1.0;
    let mask = Mask::of(&point);
    let builder = Sgd::new(1.0).clip_value(2.0).builder().accumulate(2);
    let mut optimizer = builder.build(&point, &mask).unwrap();
    optimizer.step(&mut point, &model(7.0)).unwrap();
    optimizer.step(&mut point, &model(-5.0)).unwrap();
    // Of the mean 1 nothing is cut off; of 7 and -5 alone much would be.
    assert_eq!((point.w, point.narrow), (array![-1.0, 1.0], -1.0));
}

#[test]
fn a_leaf_that_comes_now_and_then_has_a_mean_of_its_own() {
    let mut point = model(0.0);
    point.scale = 1.0;
    let mask = Mask::of(&point);
    let builder = Sgd::new(1.0).builder().accumulate(3).allow_missing(true);
    let mut optimizer = builder.build(&point, &mask).unwrap();
    let mut without = model(3.0);
    without.w = array![];
    optimizer.step(&mut point, &without).unwrap();
    optimizer.step(&mut point, &model(1.0)).unwrap();
    optimizer.step(&mut point, &model(2.0)).unwrap();
    assert_eq!((point.w, point.narrow), (array![-1.5, 1.5], -2.0));
}

#[test]
fn what_waits_is_forgotten_by_a_leaf_that_is_frozen() {
    let mut point = model(1.0);
    let mut mask = Mask::of(&point);
    let mut optimizer = accumulating(Sgd::new(1.0), 2);
    optimizer.step(&mut point, &model(100.0)).unwrap();
    optimizer.set_mask(mask.freeze("narrow").unwrap()).unwrap();
    optimizer.step(&mut point, &model(0.0)).unwrap();
    assert_eq!(point.narrow, 1.0);
    optimizer.set_mask(mask.thaw("narrow").unwrap()).unwrap();
    optimizer.step(&mut point, &model(0.5)).unwrap();
    optimizer.step(&mut point, &model(0.5)).unwrap();
    assert_eq!(point.narrow, 0.5);
}
