//! Learning rates that change.

use paramtree::optim::{AdamW, Schedule, Sgd};
use paramtree::{Mask, Module};

use crate::json::read;
use crate::problem::Trajectory;
use crate::{all, assert_near};

#[test]
fn every_schedule_is_optaxs() {
    let polynomial = Schedule::polynomial(1.0, 0.01, 2.0, 100);
    let schedules = [
        ("constant", Schedule::constant(0.1)),
        ("linear", Schedule::linear(0.1, 0.01, 100)),
        (
            "polynomial2_begin5",
            Schedule::constant(1.0).then(5, polynomial),
        ),
        ("exponential", Schedule::exponential(0.1, 0.5, 10)),
        ("exponential_staircase", Schedule::staircase(0.1, 0.5, 10)),
        ("cosine", Schedule::cosine(0.1, 0.01, 100)),
        (
            "warmup_cosine",
            Schedule::warmup_cosine(0.0, 0.1, 10, 100, 0.001),
        ),
        (
            "piecewise",
            Schedule::piecewise(0.1, [(10, 0.1), (50, 0.5)]),
        ),
    ];
    let file = read("schedules");
    let steps = file.at("steps").list();
    for (name, schedule) in schedules {
        let rates = file.at("values").at(name).numbers();
        assert_eq!(rates.len(), steps.len());
        for (step, expected) in steps.iter().zip(rates) {
            assert_near(schedule.rate(step.count()), expected, 1e-12);
        }
    }
}

/// The error of a trajectory up to a step.
fn warmed_up(steps: u64, schedule: Schedule) -> f64 {
    let mut trajectory = Trajectory::read("adamw_warmup_cosine");
    trajectory.rows.retain(|row| row.step <= steps);
    let rule = AdamW::new(schedule).weight_decay(1e-4);
    trajectory.follow(all(&trajectory.problem.start, rule))
}

#[test]
fn a_warm_up_and_a_cosine() {
    // Within a step, Optax computes the rate in 32 bits: of 0.1 - 0.09 some 6 digits are left.
    let schedule = Schedule::warmup_cosine(0.0, 0.1, 10, 100, 0.001);
    assert!(warmed_up(100, schedule) <= 1e-7);
    // With rates that are rounded in the same places, nothing is left of the difference.
    let narrow = |count: u64| {
        let count = u16::try_from(count).unwrap();
        let left = 1.0 - f32::from(count) / 10.0;
        f64::from(-0.1_f32 * left + 0.1)
    };
    assert!(warmed_up(10, Schedule::custom(narrow)) <= 1e-12);
}

#[test]
fn a_rate_that_is_set_meanwhile() {
    let trajectory = Trajectory::read("inject_lr_change");
    let optimizer = all(
        &trajectory.problem.start,
        AdamW::new(0.1).weight_decay(1e-4),
    );
    let worst = trajectory.follow_with(optimizer, |step, optimizer| {
        if step == 6 {
            optimizer.configure(|rule| rule.lr(1e-2)).unwrap();
        }
    });
    assert!(worst <= 1e-12);
}

#[test]
fn nothing_takes_no_time() {
    // Zero steps of a line, and of a warm-up: the end is reached at once.
    assert_eq!(Schedule::linear(1.0, 0.5, 0).rate(0), 0.5);
    assert_eq!(Schedule::cosine(1.0, 0.5, 0).rate(0), 0.5);
    assert_eq!(Schedule::warmup_cosine(0.0, 1.0, 0, 0, 0.5).rate(0), 0.5);
    assert!(Schedule::exponential(1.0, 0.5, 0).rate(3).is_finite());
    assert_eq!(Schedule::linear(1.0, 0.5, 4).rate(u64::MAX), 0.5);
}

#[derive(Module)]
struct Two {
    a: f64,
    b: f64,
}

#[test]
fn the_first_step_is_at_count_0_and_frozen_leaves_miss_theirs() {
    let mut two = Two { a: 0.0, b: 0.0 };
    let rates = [1.0, 10.0, 100.0];
    let schedule = Schedule::custom(move |count| rates[usize::try_from(count).unwrap()]);
    let mut mask = Mask::of(&two);
    let mut optimizer = Sgd::new(schedule).build(&two, &mask).unwrap();
    let down = Two { a: -1.0, b: -1.0 };
    optimizer.step(&mut two, &down).unwrap();
    assert_eq!((two.a, two.b), (1.0, 1.0));
    optimizer.set_mask(mask.freeze("b").unwrap()).unwrap();
    optimizer.step(&mut two, &down).unwrap();
    assert_eq!((two.a, two.b), (11.0, 1.0));
    optimizer.set_mask(mask.thaw("b").unwrap()).unwrap();
    optimizer.step(&mut two, &down).unwrap();
    // The schedule's count is of all steps: `b` has missed that at 10.
    assert_eq!((two.a, two.b), (111.0, 101.0));
}
