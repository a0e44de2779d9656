//! Leaves with transforms: stepped in unconstrained space, and decayed there only on demand.

use ndarray::{Array1, Array2, array};
use paramtree::optim::{Adam, AdamW, Lion, NAdamW, RmsProp, Rule, Sgd};
use paramtree::transform::{CovMatrix, Interval, Lower, Ordered, Positive, Simplex};
use paramtree::{Layout, Mask, Module, zeros_like};

use crate::{all, assert_near, bits};

#[derive(Clone, Debug, Module)]
struct Scale {
    #[param(transform = Positive)]
    scale: f64,
    w: f64,
}

/// From ln `scale` = 1 and w = 1, a step without any gradient.
fn decayed<R: Rule>(rule: R) -> Scale {
    let start = Scale {
        scale: 1.0_f64.exp(),
        w: 1.0,
    };
    let mut model = start.clone();
    let mut optimizer = all(&model, rule);
    optimizer.step(&mut model, &zeros_like(&start)).unwrap();
    model
}

#[test]
fn leaves_with_a_transform_do_not_decay() {
    fn check<R: Rule>(rule: R) {
        let decays = rule.settings().weight_decay > 0.0;
        let model = decayed(rule);
        assert_near(model.scale, 1.0_f64.exp(), 1e-15);
        assert_eq!(model.w < 1.0, decays);
    }
    each_rule!(check);
}

#[test]
fn unless_they_are_to() {
    // 1 - 0.1 · 0.5 · 1, of the coordinate as of the plain number.
    let check = |model: Scale| {
        assert_near(model.w, 0.95, 1e-15);
        assert_near(model.scale, 0.95_f64.exp(), 1e-15);
    };
    check(decayed(
        Sgd::new(0.1).weight_decay(0.5).decay_transformed(true),
    ));
    check(decayed(
        AdamW::new(0.1).weight_decay(0.5).decay_transformed(true),
    ));
    check(decayed(
        NAdamW::new(0.1).weight_decay(0.5).decay_transformed(true),
    ));
    check(decayed(
        Lion::new(0.1).weight_decay(0.5).decay_transformed(true),
    ));
    // ν = 0.01 · 0.5²: the step is 0.1 / √0.01, whatever the decay.
    let rule = RmsProp::new(0.1).weight_decay(0.5).decay_transformed(true);
    let model = decayed(rule);
    assert_near(model.scale, (model.w).exp(), 1e-14);
    assert!(model.w.abs() < 1e-6);
}

#[test]
fn a_decay_mask_holds_for_coordinates_too() {
    let start = Scale { scale: 2.0, w: 1.0 };
    let mask = Mask::of(&start);
    let mut decays = mask.clone();
    decays.freeze("scale").unwrap();
    let rule = AdamW::new(0.1).weight_decay(0.5).decay_transformed(true);
    let builder = rule.builder().decay_mask(&decays);
    let mut optimizer = builder.build(&start, &mask).unwrap();
    let mut model = start.clone();
    optimizer.step(&mut model, &zeros_like(&start)).unwrap();
    assert_near(model.scale, 2.0, 1e-15);
    assert_near(model.w, 0.95, 1e-15);
}

#[derive(Clone, Debug, Module)]
struct Domains {
    #[param(transform = Positive)]
    positive: f32,
    #[param(transform = Interval::new(-1.0, 1.0))]
    interval: Array1<f64>,
    #[param(transform = Lower::new(3.0))]
    lower: f64,
    #[param(transform = Ordered)]
    cuts: Vec<f64>,
    #[param(transform = Simplex)]
    shares: Array2<f64>,
    #[param(transform = CovMatrix)]
    cov: Array2<f64>,
}

fn start() -> Domains {
    Domains {
        positive: 1.0,
        interval: array![0.0, 0.5],
        lower: 4.0,
        cuts: vec![-1.0, 0.0, 1.0],
        shares: array![[0.25, 0.25, 0.5], [0.5, 0.25, 0.25]],
        cov: array![[1.0, 0.0], [0.0, 1.0]],
    }
}

fn target() -> Domains {
    Domains {
        positive: 0.125,
        interval: array![-0.75, 0.25],
        lower: 3.25,
        cuts: vec![-2.0, 0.5, 0.75],
        shares: array![[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]],
        cov: array![[2.0, 0.5], [0.5, 0.75]],
    }
}

/// The gradient of half the squared distance.
fn towards(model: &Domains, target: &Domains) -> Domains {
    let cuts = model.cuts.iter().zip(&target.cuts);
    Domains {
        positive: model.positive - target.positive,
        interval: &model.interval - &target.interval,
        lower: model.lower - target.lower,
        cuts: cuts.map(|(a, b)| a - b).collect(),
        shares: &model.shares - &target.shares,
        cov: &model.cov - &target.cov,
    }
}

#[test]
fn every_domain_is_walked_to_its_target() {
    let (mut model, target) = (start(), target());
    let mut optimizer = all(&model, Adam::new(0.03));
    for _ in 0..3000 {
        let gradient = towards(&model, &target);
        optimizer.step(&mut model, &gradient).unwrap();
        assert!(model.cuts.is_sorted() && model.lower > 3.0 && model.positive > 0.0);
        assert!(
            { model.shares.rows() }
                .into_iter()
                .all(|row| (row.sum() - 1.0).abs() < 1e-14)
        );
    }
    let rest = towards(&model, &target);
    let sizes = crate::values(&rest);
    assert!(sizes.values().flatten().all(|x| x.abs() < 1e-4), "{rest:?}");
}

#[test]
fn no_rule_leaves_the_domain() {
    fn check<R: Rule>(rule: R) {
        let mut model = start();
        let mut optimizer = all(&model, rule);
        for k in 0..40_u32 {
            let sign = if k % 3 == 0 { -1.0 } else { 1.0 };
            let gradient = Domains {
                positive: 3.0,
                interval: array![10.0 * sign, -1.0],
                lower: 50.0 * sign,
                cuts: vec![sign, -5.0, 20.0],
                shares: array![[1.0, 0.0, -3.0], [sign, 5.0, 0.0]],
                cov: array![[2.0, sign], [sign, 2.0]],
            };
            optimizer.step(&mut model, &gradient).unwrap();
            // It can be taken back: it is in the domain.
            let flat: Vec<f64> = Layout::of(&model).unwrap().flatten(&model).unwrap();
            assert!(flat.iter().all(|x| x.is_finite()));
        }
    }
    each_rule!(check);
}

#[test]
fn a_frozen_domain_keeps_its_bits() {
    fn check<R: Rule>(rule: R) {
        for held in ["positive", "interval", "lower", "cuts", "shares", "cov"] {
            let mut model = start();
            let mut optimizer = crate::all_but(&model, held, rule.clone());
            for _ in 0..3 {
                let gradient = towards(&model, &target());
                optimizer.step(&mut model, &gradient).unwrap();
            }
            for (before, after) in bits(&start()).iter().zip(&bits(&model)) {
                assert_eq!(before == after, before.path == held, "{}", before.path);
            }
        }
    }
    each_rule!(check);
}
