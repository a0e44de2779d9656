//! Limits for gradients.

use ndarray::Array1;
use paramtree::optim::{Adam, Builder, Optimizer, Sgd};
use paramtree::transform::Positive;
use paramtree::{By, Mask, Module};

use crate::{all, assert_near};

#[derive(Clone, Debug, Module)]
struct Pair {
    a: Array1<f64>,
    b: Vec<f32>,
}

fn pair(a: [f64; 2], b: f32) -> Pair {
    let (a, b) = (a.to_vec().into(), vec![b]);
    Pair { a, b }
}

/// The gradient as it is when it is used: a step from 0 at a rate of 1, reversed.
fn used(mut optimizer: Optimizer<Sgd>, gradient: &Pair) -> ([f64; 2], f32) {
    let mut point = pair([0.0; 2], 0.0);
    optimizer.step(&mut point, gradient).unwrap();
    ([-point.a[0], -point.a[1]], -point.b[0])
}

fn single(rule: Sgd) -> Optimizer<Sgd> {
    all(&pair([0.0; 2], 0.0), rule)
}

fn global(limit: f64) -> Optimizer<Sgd> {
    built(Sgd::new(1.0).builder().clip_global_norm(limit))
}

fn built(builder: Builder<'_, Sgd>) -> Optimizer<Sgd> {
    let start = pair([0.0; 2], 0.0);
    builder.build(&start, &Mask::of(&start)).unwrap()
}

#[test]
fn by_value() {
    let limited = single(Sgd::new(1.0).clip_value(2.0));
    let gradient = pair([5.0, -3.0], 1.5);
    assert_eq!(used(limited, &gradient), ([2.0, -2.0], 1.5));
}

#[test]
fn by_the_norm_of_each_leaf() {
    let limited = single(Sgd::new(1.0).clip_norm(2.5));
    // 5 is halved; 2 is not too long.
    assert_eq!(used(limited, &pair([3.0, -4.0], 2.0)), ([1.5, -2.0], 2.0));
}

#[test]
fn by_the_norm_of_all() {
    // 3, 4 and 12 are 13 long.
    let gradient = pair([3.0, -4.0], 12.0);
    assert_eq!(used(global(6.5), &gradient), ([1.5, -2.0], 6.0));
    assert_eq!(used(global(13.0), &gradient), ([3.0, -4.0], 12.0));
}

#[test]
fn a_gradient_that_is_short_enough_keeps_its_bits() {
    let gradient = pair([0.1, 1.0 / 3.0], 0.7);
    for limit in [0.9, 1.0, 1e10, f64::MAX] {
        assert_eq!(used(global(limit), &gradient), ([0.1, 1.0 / 3.0], 0.7));
        let rule = || Sgd::new(1.0);
        for rule in [rule().clip_norm(limit), rule().clip_value(limit)] {
            assert_eq!(used(single(rule), &gradient), ([0.1, 1.0 / 3.0], 0.7));
        }
    }
    // To the bit: the norm of one number is the number itself.
    for x in [0.1, 1.0 / 3.0, 1e-300, 1e300] {
        let gradient = pair([0.0, x], 0.0);
        assert_eq!(used(global(x), &gradient).0[1], x);
        let rule = Sgd::new(1.0).clip_norm(x);
        assert_eq!(used(single(rule), &gradient).0[1], x);
    }
}

#[test]
fn nothing_at_all() {
    for limit in [0.0, 1.0] {
        let rule = || Sgd::new(1.0);
        for optimizer in [
            global(limit),
            single(rule().clip_norm(limit)),
            single(rule().clip_value(limit)),
        ] {
            assert_eq!(used(optimizer, &pair([0.0; 2], 0.0)), ([0.0; 2], 0.0));
        }
    }
    // A limit of 0 lets nothing move.
    assert_eq!(used(global(0.0), &pair([3.0, 4.0], 5.0)), ([0.0; 2], 0.0));
}

#[test]
fn squares_that_overflow_or_vanish() {
    for size in [1e200, 1e-200, 1e300, 1e-300] {
        let gradient = pair([3.0 * size, -4.0 * size], 0.0);
        let by_leaf = Sgd::new(1.0).clip_norm(size);
        for optimizer in [global(size), single(by_leaf)] {
            let ([x, y], _) = used(optimizer, &gradient);
            assert_near(x, 0.6 * size, 1e-14);
            assert_near(y, -0.8 * size, 1e-14);
        }
        assert_eq!(
            used(global(5.1 * size), &gradient).0,
            [3.0 * size, -4.0 * size]
        );
    }
    // The greatest of one leaf hides nothing of another.
    let ([x, _], b) = used(global(1.0), &pair([1e200, 0.0], 1.0));
    assert_near(x, 1.0, 1e-14);
    assert!(b.abs() < 1e-37);
}

#[test]
fn a_norm_that_no_number_can_say() {
    let gradient = pair([f64::MAX, -f64::MAX], 0.0);
    let half = 0.5_f64.sqrt();
    for optimizer in [global(1.0), single(Sgd::new(1.0).clip_norm(1.0))] {
        let ([x, y], _) = used(optimizer, &gradient);
        assert_near(x, half, 1e-14);
        assert_near(y, -half, 1e-14);
    }
}

#[test]
fn the_limits_of_leaves_come_before_that_of_all() {
    let builder = Sgd::new(1.0).builder().clip_global_norm(5.0);
    let cut = |rule: Sgd| rule.clip_value(6.0);
    let builder = builder.group("a", By::Pattern("a"), cut);
    // 100 and 0 are cut to 6 and 0; with 8 they are 10 long, of which half is left.
    let gradient = pair([100.0, 0.0], 8.0);
    assert_eq!(used(built(builder), &gradient), ([3.0, 0.0], 4.0));
}

#[test]
fn only_some_groups_have_a_limit() {
    let builder = Sgd::new(1.0).builder();
    let builder = builder.group("b", By::Pattern("b"), |rule| rule.clip_norm(1.0));
    let gradient = pair([30.0, 40.0], 8.0);
    assert_eq!(used(built(builder), &gradient), ([30.0, 40.0], 1.0));
}

#[derive(Clone, Debug, Module)]
struct Long {
    x: Array1<f64>,
}

#[test]
fn what_is_limited_is_long_too() {
    // More numbers than are shaped at a time: all 1, of a norm of √1000.
    let ones = Long {
        x: Array1::ones(1000),
    };
    let mut point = Long {
        x: Array1::zeros(1000),
    };
    let builder = Adam::new(0.1).clip_norm(1.0).builder();
    let mut optimizer = builder.build(&point, &Mask::of(&point)).unwrap();
    optimizer.step(&mut point, &ones).unwrap();
    assert!(point.x.iter().all(|x| *x == point.x[0]));
    let mu = &crate::values(&optimizer)["leaves.x.mu"];
    assert_eq!(mu.len(), 1000);
    assert!(
        mu.iter()
            .all(|m| (m - 0.1 / 1000.0_f64.sqrt()).abs() < 1e-15)
    );
}

#[derive(Clone, Debug, Module)]
struct Scale {
    #[param(transform = Positive)]
    s: f64,
}

#[test]
fn limits_are_for_coordinates() {
    // The gradient is 5 in natural space, and 5 · 2 by the coordinate.
    let limits = [Sgd::new(1.0).clip_value(1.0), Sgd::new(1.0).clip_norm(1.0)];
    for rule in limits {
        let mut model = Scale { s: 2.0 };
        all(&model, rule)
            .step(&mut model, &Scale { s: 5.0 })
            .unwrap();
        assert_near(model.s, (2.0_f64.ln() - 1.0).exp(), 1e-15);
    }
    let mut model = Scale { s: 2.0 };
    let mut optimizer = Sgd::new(1.0)
        .builder()
        .clip_global_norm(1.0)
        .build(&model, &Mask::of(&model))
        .unwrap();
    optimizer.step(&mut model, &Scale { s: -5.0 }).unwrap();
    assert_near(model.s, (2.0_f64.ln() + 1.0).exp(), 1e-15);
}
