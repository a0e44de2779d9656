//! Gradients as flat vectors.

use ndarray::{Array1, Array2, array};
use paramtree::optim::{Builder, Rule, Sgd, Step};
use paramtree::transform::{Positive, Simplex};
use paramtree::{Error, Layout, Mask, Module};

use crate::{all, assert_near, bits, values};

#[derive(Clone, Debug, Module)]
struct Mixed {
    wide: Array2<f64>,
    narrow: Vec<f32>,
    #[frozen]
    held: Array1<f64>,
    last: f64,
    small: f32,
}

fn mixed() -> Mixed {
    Mixed {
        wide: array![[1.0, 2.0], [3.0, 4.0]].reversed_axes(),
        narrow: vec![0.5, -0.5],
        held: array![9.0],
        last: -1.0,
        small: 2.0,
    }
}

fn gradient() -> Mixed {
    Mixed {
        wide: array![[0.1, -0.2], [0.3, 0.7]],
        narrow: vec![0.1, 0.2],
        held: array![f64::NAN, 0.0],
        last: 0.3,
        small: -0.9,
    }
}

#[test]
fn a_flat_step_is_a_step() {
    fn check<R: Rule>(rule: R) {
        for pattern in ["wide", "narrow", "last", "small", "*"] {
            let mut mask = Mask::of(&mixed());
            if pattern == "*" {
                mask.thaw_all();
            } else {
                mask.freeze(pattern).unwrap();
            }
            let layout = Layout::new(&mixed(), &mask).unwrap();
            let (mut left, mut right) = (mixed(), mixed());
            let mut by_tree = Builder::new(rule.clone()).build(&left, &mask).unwrap();
            let mut by_flat = by_tree.clone();
            for _ in 0..3 {
                by_tree.step(&mut left, &gradient()).unwrap();
                let flat: Vec<f64> = layout.pullback(&right, &gradient()).unwrap();
                let step = by_flat.step_flat(&mut right, &flat);
                assert_eq!(step, Ok(Step::Taken));
            }
            assert_eq!(bits(&left), bits(&right));
            assert_eq!(bits(&by_tree), bits(&by_flat));
        }
    }
    each_rule!(check);
}

#[test]
fn a_narrow_vector_serves_wide_leaves() {
    fn check<R: Rule>(rule: R) {
        let layout = Layout::of(&mixed()).unwrap();
        // Numbers that 32 bits hold.
        let mut gradient = gradient();
        gradient.wide = array![[0.5, -0.25], [2.0, 0.75]];
        gradient.last = 0.125;
        let (mut left, mut right) = (mixed(), mixed());
        let mut by_tree = all(&left, rule);
        let mut by_flat = by_tree.clone();
        for _ in 0..3 {
            by_tree.step(&mut left, &gradient).unwrap();
            let flat: Vec<f32> = layout.pullback(&right, &gradient).unwrap();
            by_flat.step_flat(&mut right, &flat).unwrap();
        }
        assert_eq!(bits(&left), bits(&right));
        assert_eq!(bits(&by_tree), bits(&by_flat));
    }
    each_rule!(check);
}

#[derive(Clone, Debug, Module)]
struct Domain {
    plain: f64,
    #[param(transform = Positive)]
    scale: Array1<f64>,
    #[param(transform = Simplex)]
    shares: Vec<f32>,
}

#[test]
fn coordinates_are_stepped_by_their_own_gradients() {
    fn check<R: Rule>(rule: R) {
        let start = Domain {
            plain: 1.0,
            scale: array![0.5, 2.0],
            shares: vec![0.25, 0.25, 0.5],
        };
        let gradient = Domain {
            plain: 0.5,
            scale: array![-1.0, 3.0],
            shares: vec![0.1, 0.2, -0.6],
        };
        let layout = Layout::of(&start).unwrap();
        let (mut left, mut right) = (start.clone(), start);
        let mut by_tree = all(&left, rule);
        let mut by_flat = by_tree.clone();
        for step in 0..3 {
            by_tree.step(&mut left, &gradient).unwrap();
            let flat: Vec<f64> = layout.pullback(&right, &gradient).unwrap();
            assert_eq!(flat.len(), 1 + 2 + 2);
            by_flat.step_flat(&mut right, &flat).unwrap();
            if step == 0 {
                assert_eq!(bits(&left), bits(&right));
                assert_eq!(bits(&by_tree), bits(&by_flat));
            }
        }
        // Later, the layout computes anew the coordinates that the optimiser has kept.
        for (path, left) in values(&left) {
            let relative = if path == "shares" { 1e-5 } else { 1e-12 };
            for (left, right) in left.iter().zip(&values(&right)[&path]) {
                assert_near(*left, *right, relative);
            }
        }
    }
    each_rule!(check);
}

#[test]
fn another_length_is_refused() {
    let mut model = mixed();
    let mut optimizer = all(&model, Sgd::new(0.1).momentum(0.5));
    let before = (bits(&model), bits(&optimizer));
    for got in [0, 7, 9] {
        let error = optimizer
            .step_flat(&mut model, &vec![1.0; got])
            .unwrap_err();
        assert_eq!(error, Error::Length { expected: 8, got });
    }
    assert_eq!((bits(&model), bits(&optimizer)), before);
    optimizer.step_flat(&mut model, &[1.0; 8]).unwrap();
}

#[test]
fn what_is_not_finite_is_refused() {
    let mut model = mixed();
    let mut optimizer = all(&model, Sgd::new(0.1).momentum(0.5));
    let before = (bits(&model), bits(&optimizer));
    let mut flat = [1.0; 8];
    // The first of `narrow`, whose 32 bits it overflows.
    flat[4] = 1e300;
    let error = optimizer.step_flat(&mut model, &flat).unwrap_err();
    let message = "the gradient of `narrow[0]` is inf: nothing has been changed";
    assert_eq!(error.to_string(), message);
    (flat[4], flat[6]) = (0.0, f64::NAN);
    let error = optimizer.step_flat(&mut model, &flat).unwrap_err();
    let message = "the gradient of `last` is NaN: nothing has been changed";
    assert_eq!(error.to_string(), message);
    assert_eq!((bits(&model), bits(&optimizer)), before);
}

#[test]
fn a_model_of_another_shape_is_refused() {
    let mut model = mixed();
    let mut optimizer = all(&model, Sgd::new(0.1));
    model.narrow.push(1.0);
    let before = bits(&model);
    let error = optimizer.step_flat(&mut model, &[1.0; 8]).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }));
    assert_eq!(bits(&model), before);
}
