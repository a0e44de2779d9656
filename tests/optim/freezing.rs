//! The ways to freeze a leaf that are right with Optax, and those that are not.

use paramtree::Mask;
use paramtree::optim::{AdamW, Optimizer, Rule, Sgd};

use crate::problem::{P, Row, Trajectory, error};

/// Follows a file with `a` frozen, and shows each row with the point that belongs to it.
fn follow<R: Rule>(
    trajectory: &Trajectory,
    build: impl Fn(&P, &Mask) -> Optimizer<R>,
    mut check: impl FnMut(&Row, &P),
) {
    let problem = &trajectory.problem;
    let mut mask = Mask::of(&problem.start);
    mask.freeze("a").unwrap();
    let mut optimizer = build(&problem.start, &mask);
    let mut point = problem.start.clone();
    for row in &trajectory.rows {
        while optimizer.steps() < row.step {
            let gradient = problem.gradient(&point);
            optimizer.step(&mut point, &gradient).unwrap();
            assert_eq!(point.a, problem.start.a);
        }
        check(row, &point);
    }
}

fn adamw(start: &P, mask: &Mask) -> Optimizer<AdamW> {
    AdamW::new(0.1).build(start, mask).unwrap()
}

fn clipped_sgd(start: &P, mask: &Mask) -> Optimizer<Sgd> {
    let builder = Sgd::new(0.1).builder().clip_global_norm(1.0);
    builder.build(start, mask).unwrap()
}

/// How far apart the leaves that train are.
fn trained_error(row: &Row, point: &P) -> f64 {
    error(&point.numbers()[3..], &row.params.numbers()[3..])
}

#[test]
fn the_right_ways_are_one_trajectory() {
    let files = ["partition", "selective_transform", "chain_after"];
    for file in files {
        let trajectory = Trajectory::read(&format!("freeze_{file}"));
        follow(&trajectory, adamw, |row, point| {
            assert!(row.error(point) <= 1e-12, "{file}");
        });
    }
}

#[test]
fn no_decay_reaches_a_frozen_leaf() {
    let wrong = Trajectory::read("freeze_chain_before_WRONG");
    follow(&wrong, adamw, |row, point| {
        assert!(trained_error(row, point) <= 1e-12);
        let all = point.a.iter().zip(&row.params.a);
        // The wrong way has shrunk it by a thousandth with each step.
        assert!({ all }.all(|(ours, theirs)| (ours - theirs).abs() > 4e-4 * ours.abs()));
    });
}

#[test]
fn no_gradient_passes_through_to_a_frozen_leaf() {
    let wrong = Trajectory::read("freeze_masked_WRONG");
    follow(&wrong, adamw, |row, point| {
        assert!(trained_error(row, point) <= 1e-12);
        let all = point.a.iter().zip(&row.params.a);
        // The wrong way has added the bare gradient.
        assert!({ all }.all(|(ours, theirs)| (ours - theirs).abs() > 0.1));
    });
}

#[test]
fn the_norm_is_of_what_trains() {
    let right = Trajectory::read("clip_ignores_frozen");
    let mut first = None;
    follow(&right, clipped_sgd, |row, point| {
        assert!(row.error(point) <= 1e-12);
        first.get_or_insert(point.s);
    });
    assert!((first.unwrap() - 2.40295).abs() < 1e-5);

    let wrong = Trajectory::read("clip_counts_frozen");
    follow(&wrong, clipped_sgd, |row, point| {
        // Both end at the target, on ways of their own.
        if row.step <= 50 {
            assert!(trained_error(row, point) > 1e-4, "step {}", row.step);
        }
    });
    assert!((wrong.rows[0].params.s - 2.40541).abs() < 1e-5);
}
