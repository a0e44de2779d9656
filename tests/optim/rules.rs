//! Rules by hand, with numbers that binary fractions hold.

use paramtree::Module;
use paramtree::optim::{Lion, RmsProp, Rule, Sgd};

use crate::{all, values};

#[derive(Clone, Debug, Module)]
struct Point {
    p: f64,
}

/// Where a point is after each of the gradients.
fn walk<R: Rule, const N: usize>(start: f64, rule: R, gradients: [f64; N]) -> [f64; N] {
    let mut point = Point { p: start };
    let mut optimizer = all(&point, rule);
    gradients.map(|p| {
        optimizer.step(&mut point, &Point { p }).unwrap();
        point.p
    })
}

fn rms_prop() -> RmsProp {
    RmsProp::new(0.5).alpha(0.75).eps(1e-300)
}

#[test]
fn rms_prop_by_hand() {
    // ν = 1/4 · 4 = 1, 1/4 · 1 + 3/4 · 1 = 1, and so on: gradients are divided by 1.
    assert_eq!(walk(10.0, rms_prop(), [2.0, 1.0, -1.0]), [9.0, 8.5, 9.0]);
    // eps is added to the root: 2 / (1 + 1) and 1 / (1 + 1).
    let blunt = rms_prop().eps(1.0);
    assert_eq!(walk(10.0, blunt, [2.0, 1.0, -1.0]), [9.5, 9.25, 9.5]);
}

#[test]
fn rms_prop_with_momentum_by_hand() {
    // v = 2, 1 + 1/2 · 2 = 2, -1 + 1/2 · 2 = 0.
    let rule = rms_prop().momentum(0.5);
    assert_eq!(walk(10.0, rule, [2.0, 1.0, -1.0]), [9.0, 8.0, 8.0]);
}

#[test]
fn rms_prop_with_decay_by_hand() {
    // Half the parameter is added to the gradient: 0 + 2, -0.5 + 1.5, -0.25 + 1.25.
    let rule = rms_prop().weight_decay(0.5);
    let gradients = [0.0, -0.5, -0.25];
    assert_eq!(walk(4.0, rule.clone(), gradients), [3.0, 2.5, 2.0]);
    // With momentum: 0 + 2 and v = 2; -0.5 + 1.5 and v = 1 + 1/2 · 2; 0 + 1 and v = 1 + 1/2 · 2.
    let rule = rule.momentum(0.5);
    assert_eq!(walk(4.0, rule, [0.0, -0.5, 0.0]), [3.0, 2.0, 1.0]);
}

fn lion() -> Lion {
    Lion::new(0.5).betas(0.5, 0.75).weight_decay(0.0)
}

#[test]
fn lion_by_hand() {
    // b1 μ + (1 - b1) g: 0 + 1/2 · 1 > 0, then μ = 1/4;
    //                    1/2 · 1/4 - 1/2 · 1/4 = 0, then μ = 3/4 · 1/4 - 1/4 · 1/4 = 1/8;
    //                    1/2 · 1/8 - 1/2 · 1/16 > 0 against the gradient, then μ = 5/64.
    let gradients = [1.0, -0.25, -0.0625];
    assert_eq!(walk(10.0, lion(), gradients), [9.5, 9.5, 9.0]);

    let mut point = Point { p: 10.0 };
    let mut optimizer = all(&point, lion());
    for (p, mu) in gradients.into_iter().zip([0.25, 0.125, 0.078_125]) {
        optimizer.step(&mut point, &Point { p }).unwrap();
        assert_eq!(values(&optimizer)["leaves.p.mu"], [mu]);
    }
}

#[test]
fn lion_with_decay_by_hand() {
    // 1/2 · (1 + 1/2 · 10) = 3, 1/2 · (0 + 1/2 · 7) = 1.75, 1/2 · (1 + 1/2 · 5.25) = 1.8125.
    let rule = lion().weight_decay(0.5);
    let gradients = [1.0, -0.25, -0.0625];
    assert_eq!(walk(10.0, rule, gradients), [7.0, 5.25, 3.4375]);
}

#[test]
fn lion_steps_the_same_for_gradients_of_any_size() {
    for size in [f64::MIN_POSITIVE, 1.0, f64::MAX] {
        assert_eq!(walk(1.0, lion(), [size, size]), [0.5, 0.0]);
        assert_eq!(walk(1.0, lion(), [-size, -size]), [1.5, 2.0]);
    }
}

#[test]
fn sgd_with_decay_by_hand() {
    let rule = Sgd::new(0.5).weight_decay(0.5);
    // 1/2 · (1/2 + 1/2 · 1), 1/2 · (3/4 + 1/2 · 1/2).
    assert_eq!(walk(1.0, rule.clone(), [0.5, 0.75]), [0.5, 0.0]);
    // v = 1, then 1 + 1/2 · 1.
    let rule = rule.momentum(0.5);
    assert_eq!(walk(1.0, rule.clone(), [0.5, 0.75]), [0.5, -0.25]);
    // Nesterov's: 1 + 1/2 · 1, then v = 1 + 1/2 · 1 and 1 + 1/2 · 3/2.
    let rule = rule.nesterov(true);
    assert_eq!(walk(1.0, rule, [0.5, 0.875]), [0.25, -0.625]);
}

#[test]
fn nesterov_without_momentum_is_plain() {
    let rule = Sgd::new(0.5).nesterov(true);
    assert_eq!(walk(1.0, rule, [1.0, 1.0]), [0.5, 0.0]);
}

#[test]
fn a_leaf_at_rest_stays_there() {
    fn check(rule: impl Rule) {
        // No gradient, and nothing to decay: not a bit moves, and eps keeps 0 / 0 away.
        assert_eq!(walk(0.0, rule, [0.0; 3]), [0.0; 3]);
    }
    each_rule!(check);
}
