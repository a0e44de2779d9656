//! Gradients: those of frozen leaves, those that are missing, not finite, or of another shape.

use std::collections::HashMap;

use ndarray::{Array1, ArrayD, arr0, array};
use paramtree::optim::{Builder, Rule, Sgd, Step};
use paramtree::transform::Softplus;
use paramtree::{Error, Layout, Mask, Module};

use crate::{all, assert_near, bits, refused};

#[derive(Clone, Debug, Module)]
struct Mixed {
    a: Array1<f64>,
    #[frozen]
    b: Array1<f64>,
    c: f64,
}

#[test]
fn a_value_in_place_of_a_gradient_moves_nothing_that_is_frozen() {
    let mut model = Mixed {
        a: array![1.0, 2.0],
        b: array![4.0, 5.0],
        c: 3.0,
    };
    let gradient = Mixed {
        a: array![1.0, 1.0],
        ..model.clone()
    };
    let mut mask = Mask::of(&model);
    mask.freeze("c").unwrap();
    let layout = Layout::new(&model, &mask).unwrap();
    let flat: Vec<f64> = layout.pullback(&model, &gradient).unwrap();
    assert_eq!(flat, [1.0, 1.0]);
    let mut optimizer = Sgd::new(1.0).build(&model, &mask).unwrap();
    optimizer.step(&mut model, &gradient).unwrap();
    assert_eq!(model.a, array![0.0, 1.0]);
    assert_eq!((model.b, model.c), (array![4.0, 5.0], 3.0));
}

#[derive(Clone, Debug, Module)]
struct Net {
    w: f64,
    unused: Array1<f64>,
}

fn net() -> Net {
    Net {
        w: 1.0,
        unused: array![2.0, 3.0],
    }
}

fn only_w() -> Net {
    Net {
        w: 1.0,
        unused: array![],
    }
}

#[test]
fn a_missing_gradient_is_an_error() {
    fn check(rule: impl Rule) {
        let mut model = net();
        let mut optimizer = all(&model, rule);
        let error = refused(&mut optimizer, &mut model, &only_w());
        let expected = Error::MissingGradient {
            path: "unused".to_owned(),
            expected: vec![2],
        };
        assert_eq!(error, expected);
    }
    each_rule!(check);
}

#[test]
fn or_a_leaf_that_takes_no_step() {
    fn check(rule: impl Rule) {
        let mut model = net();
        let optimizer = Builder::new(rule).allow_missing(true);
        let mut optimizer = optimizer.build(&model, &Mask::of(&model)).unwrap();
        let taken = optimizer.step(&mut model, &only_w()).unwrap();
        assert_eq!(taken, Step::Taken);
        // Not even decay moves it.
        assert!(model.w < 1.0);
        assert_eq!(bits(&model)[1], bits(&net())[1]);
        assert_eq!(optimizer.count("w").unwrap(), 1);
        assert_eq!(optimizer.count("unused").unwrap(), 0);
        // It may still not have another shape.
        let mut wrong = net();
        wrong.unused = array![1.0];
        let error = refused(&mut optimizer, &mut model, &wrong);
        assert!(matches!(error, Error::Shape { .. }));
    }
    each_rule!(check);
}

#[derive(Clone, Debug, Module)]
struct Named {
    parts: HashMap<String, f64>,
}

#[test]
fn a_gradient_of_another_structure_is_an_error() {
    fn named(names: &[&str]) -> Named {
        let parts = names.iter().map(|&name| (name.to_owned(), 1.0));
        Named {
            parts: parts.collect(),
        }
    }
    fn check(rule: impl Rule) {
        let mut model = named(&["w"]);
        let mut optimizer = all(&model, rule);
        let message = |error: Error| error.to_string();
        let error = refused(&mut optimizer, &mut model, &named(&["w", "ghost"]));
        assert!(message(error).ends_with("`parts.ghost` is surplus"));
        let error = refused(&mut optimizer, &mut model, &named(&[]));
        assert!(message(error).ends_with("`parts.w` is missing"));
        let error = refused(&mut optimizer, &mut model, &named(&["v"]));
        assert!(message(error).ends_with("`parts.w` is missing, `parts.v` is surplus"));
    }
    each_rule!(check);
}

#[derive(Clone, Debug, Module)]
struct Noise {
    #[param(transform = Softplus)]
    s: f64,
}

#[test]
fn the_chain_rule_and_staying_inside() {
    let mut model = Noise { s: 2.0 };
    let mut optimizer = all(&model, Sgd::new(1.0));
    let gradient = Noise { s: 5.0 };
    optimizer.step(&mut model, &gradient).unwrap();
    // From ln(e² - 1) = 1.8545… by 5 · (1 - e⁻²) = 4.3233… to -2.46873…, ln(1 + e^x) of which is:
    assert_near(model.s, 0.081_295_848_601_305_7, 1e-14);
    for _ in 1..50 {
        optimizer.step(&mut model, &gradient).unwrap();
        assert!(model.s > 0.0);
    }
}

#[derive(Clone, Debug, Module)]
struct Points {
    z: ArrayD<f64>,
    w: Array1<f64>,
}

#[test]
fn a_point_has_no_gradient_of_two() {
    fn check(rule: impl Rule) {
        let mut model = Points {
            z: arr0(1.0).into_dyn(),
            w: array![1.0],
        };
        let mut gradient = model.clone();
        gradient.z = array![1.0, 1.0].into_dyn();
        let mut optimizer = all(&model, rule);
        let error = refused(&mut optimizer, &mut model, &gradient);
        let expected = Error::Shape {
            path: "z".to_owned(),
            expected: vec![],
            got: vec![2],
        };
        assert_eq!(error, expected);
        gradient.z = arr0(1.0).into_dyn();
        optimizer.step(&mut model, &gradient).unwrap();
        assert!(model.z[[]] < 1.0);
    }
    each_rule!(check);
}
