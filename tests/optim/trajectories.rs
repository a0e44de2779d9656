//! Step by step what Optax does, moments included.

use paramtree::optim::{Adam, AdamW, NAdamW, Rule, Sgd};
use paramtree::{By, Mask};

use crate::problem::Trajectory;

/// Bit for bit where powers are the C library's that the files were made with.
const EXACT: f64 = if cfg!(all(
    target_arch = "x86_64",
    target_os = "linux",
    target_env = "gnu"
)) {
    0.0
} else {
    1e-12
};

/// Follows a file with a rule for all leaves.
fn follow<R: Rule>(file: &str, rule: R) -> f64 {
    let trajectory = Trajectory::read(file);
    let start = &trajectory.problem.start;
    let optimizer = paramtree::optim::Builder::new(rule);
    trajectory.follow(optimizer.build(start, &Mask::of(start)).unwrap())
}

#[test]
fn adam() {
    assert!(follow("adam", Adam::new(0.1)) <= EXACT);
}

#[test]
fn adamw() {
    let rule = AdamW::new(0.1).weight_decay(1e-4);
    assert!(follow("adamw_default", rule) <= EXACT);
}

#[test]
fn nadamw() {
    let rule = NAdamW::new(0.1).weight_decay(1e-4);
    assert!(follow("nadamw", rule) <= 1e-12);
}

#[test]
fn sgd() {
    assert!(follow("sgd", Sgd::new(0.1)) <= 1e-12);
}

#[test]
fn sgd_with_momentum() {
    let rule = Sgd::new(1e-2).momentum(0.9);
    assert!(follow("sgd_momentum", rule) <= 1e-12);
}

#[test]
fn sgd_with_nesterovs_momentum() {
    let rule = Sgd::new(1e-2).momentum(0.9).nesterov(true);
    assert!(follow("sgd_nesterov", rule) <= 1e-12);
}

#[test]
fn decay_on_some_leaves() {
    let trajectory = Trajectory::read("adamw_decay_mask");
    let start = &trajectory.problem.start;
    let all = Mask::of(start);
    let mut decays = all.clone();
    decays.train_only("w").unwrap();
    let masked = AdamW::new(0.1).builder().decay_mask(&decays);
    assert!(trajectory.follow(masked.build(start, &all).unwrap()) <= 1e-12);

    let grouped = AdamW::new(0.1).weight_decay(0.0).builder();
    let grouped = grouped.group("decays", By::Pattern("w"), |rule| rule.weight_decay(1e-2));
    assert!(trajectory.follow(grouped.build(start, &all).unwrap()) <= 1e-12);
}

#[test]
fn the_norm_of_all() {
    let trajectory = Trajectory::read("clip_adamw");
    let start = &trajectory.problem.start;
    let rule = AdamW::new(0.1).weight_decay(1e-4);
    let clipped = rule.builder().clip_global_norm(1.0);
    let clipped = clipped.build(start, &Mask::of(start)).unwrap();
    assert!(trajectory.follow(clipped) <= 1e-12);
}
