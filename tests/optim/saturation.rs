//! Values so near to a bound that their digits run out.

use ndarray::{Array1, array};
use paramtree::optim::{Adam, AdamW, Rule, Sgd};
use paramtree::transform::{Interval, Simplex, Softplus, UnitInterval};
use paramtree::{Constrained, Layout, Mask, Module};

use crate::{all, assert_near, values};

#[derive(Clone, Debug, Module)]
struct Kernel {
    #[param(transform = Softplus)]
    ls: f64,
    w: f64,
}

#[test]
fn frozen_and_constrained() {
    let mut model = Kernel { ls: 0.1, w: 1.0 };
    let mut mask = Mask::of(&model);
    mask.freeze("ls").unwrap();
    let layout = Layout::new(&model, &mask).unwrap();
    let mut optimizer = AdamW::new(1e-3).build(&model, &mask).unwrap();
    for _ in 0..10_000 {
        let flat: Vec<f64> = layout.flatten(&model).unwrap();
        layout.unflatten(&mut model, &flat).unwrap();
        let gradient = Kernel {
            ls: 1.0,
            w: model.w - 3.0,
        };
        optimizer.step(&mut model, &gradient).unwrap();
        assert_eq!(model.ls.to_bits(), 0.1_f64.to_bits());
    }
    assert!((model.w - 3.0).abs() < 0.1);
    let thawed: Vec<f64> = Layout::of(&model).unwrap().flatten(&model).unwrap();
    // ln(e^0.1 - 1)
    assert_near(thawed[0], -2.252_168_461_044_09, 1e-12);
}

#[derive(Clone, Debug, Module)]
struct Bounded {
    #[param(transform = Interval::new(0.0, 1.0))]
    x: Array1<f64>,
    #[param(transform = Simplex)]
    m: Array1<f64>,
}

#[test]
fn a_saturated_coordinate_spoils_no_neighbour() {
    fn check(rule: impl Rule) {
        let mut model = Bounded {
            x: array![0.5, 0.5, 0.5],
            m: array![0.25, 0.25, 0.5],
        };
        let layout = Layout::of(&model).unwrap();
        layout
            .unflatten(&mut model, &[800.0, 0.3, 0.3, 800.0, 0.3])
            .unwrap();
        let mut optimizer = all(&model, rule);
        let gradient = Bounded {
            x: Array1::zeros(3),
            m: Array1::zeros(3),
        };
        optimizer.step(&mut model, &gradient).unwrap();
        let flat: Vec<f64> = layout.flatten(&model).unwrap();
        assert!(flat.iter().all(|x| x.is_finite()), "{flat:?}");
        assert!((flat[1] - 0.3).abs() < 1e-14 && (flat[2] - 0.3).abs() < 1e-14);
        let state = values(&optimizer);
        assert!(state.values().flatten().all(|number| number.is_finite()));
    }
    each_rule!(check);
}

#[derive(Clone, Debug, Module)]
struct Unit {
    #[param(transform = UnitInterval)]
    p: f64,
}

#[test]
fn a_coordinate_beyond_the_digits_comes_back() {
    let mut model = Unit { p: 0.5 };
    let mut optimizer = all(&model, Sgd::new(1.0));
    // The slope of the logistic function is 1/4 at 0: x = 0 + 400 / 4 = 100, whose natural value
    // is 1 but for 4e-44, which no f64 below 1 can say.
    optimizer.step(&mut model, &Unit { p: -400.0 }).unwrap();
    assert_eq!(model.p, 1.0_f64.next_down());
    assert_eq!(values(&optimizer)["leaves.p.coordinates"], [100.0]);
    // The next step starts from 100, where the slope is e⁻¹⁰⁰: 3e43 · e⁻¹⁰⁰ = 1.116…
    optimizer.step(&mut model, &Unit { p: 3e43 }).unwrap();
    let x = values(&optimizer)["leaves.p.coordinates"][0];
    assert_near(x, 100.0 - 3e43 * (-100.0_f64).exp(), 1e-12);
    assert!(x < 99.0);

    // Another optimiser knows the value only: Adam goes a unit from logit(1 - 2⁻⁵³) = 36.7…
    let mut model = Unit { p: 0.5 };
    let mut sgd = all(&model, Sgd::new(1.0));
    sgd.step(&mut model, &Unit { p: -400.0 }).unwrap();
    let mut adam = all(&model, Adam::new(1.0).eps(1e-300));
    adam.step(&mut model, &Unit { p: 1.0 }).unwrap();
    assert_near(
        values(&adam)["leaves.p.coordinates"][0],
        35.736_800_569_677_1,
        1e-9,
    );
}

#[test]
fn a_value_that_was_set_meanwhile_counts() {
    let mut model = Unit { p: 0.5 };
    let mut optimizer = all(&model, Sgd::new(1.0));
    optimizer.step(&mut model, &Unit { p: -400.0 }).unwrap();
    model.p = 0.5;
    // From 0, not from 100: the slope is 1/4, and x = -4 / 4.
    optimizer.step(&mut model, &Unit { p: 4.0 }).unwrap();
    assert_near(model.p, 1.0 / (1.0 + 1.0_f64.exp()), 1e-15);
    // An edit by one unit in the last place is one, too.
    let edited = model.p.next_up();
    model.p = edited;
    optimizer.step(&mut model, &Unit { p: 0.0 }).unwrap();
    assert_near(model.p, edited, 1e-15);
}

#[test]
fn what_keeps_its_coordinates_is_asked_for_them() {
    #[derive(Clone, Debug, Module)]
    struct Kept {
        p: Constrained<f64, UnitInterval>,
    }
    let mut model = Kept {
        p: Constrained::new(0.5, UnitInterval).unwrap(),
    };
    let mut gradient = model.clone();
    *gradient.p = -400.0;
    all(&model, Sgd::new(1.0))
        .step(&mut model, &gradient)
        .unwrap();
    assert_eq!(*model.p.unconstrained().unwrap(), [100.0]);
    // So another optimiser knows them, too.
    *gradient.p = 3e43;
    let mut other = all(&model, Sgd::new(1.0));
    other.step(&mut model, &gradient).unwrap();
    let expected = 100.0 - 3e43 * (-100.0_f64).exp();
    assert_near(model.p.unconstrained().unwrap()[0], expected, 1e-12);
    assert!(values(&other)["leaves.p.coordinates"].is_empty());
}

#[test]
fn a_value_that_no_transform_can_take_stops_the_step() {
    let mut model = Bounded {
        x: array![0.5, 2.0],
        m: array![0.5, 0.5],
    };
    let mut optimizer = all(&model, Sgd::new(1.0));
    let gradient = Bounded {
        x: array![1.0, 1.0],
        m: array![1.0, 1.0],
    };
    let error = crate::refused(&mut optimizer, &mut model, &gradient);
    assert!(error.to_string().starts_with("`x[1]`: "), "{error}");
}
