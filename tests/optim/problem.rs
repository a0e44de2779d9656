//! The problem that the reference trajectories solve: a quadratic bowl in three leaves, its
//! gradient curvature · (parameters - target).

use ndarray::{Array1, Array2};
use paramtree::Module;
use paramtree::optim::{Optimizer, Rule};

use crate::json::{Json, read};
use crate::values;

/// A point.
#[derive(Clone, Debug, Module)]
pub(crate) struct P {
    pub(crate) a: Array1<f64>,
    pub(crate) s: f64,
    pub(crate) w: Array2<f64>,
}

impl P {
    pub(crate) fn of(json: &Json) -> Self {
        Self {
            a: json.at("a").numbers().into(),
            s: json.at("s").number(),
            w: Array2::from_shape_vec((2, 2), json.at("w").numbers()).unwrap(),
        }
    }

    /// Its numbers, in the order of the leaves.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let s = std::iter::once(&self.s);
        self.a.iter().chain(s).chain(&self.w).copied().collect()
    }
}

/// Where to start from, and what to go down.
pub(crate) struct Problem {
    pub(crate) start: P,
    target: P,
    curvature: P,
}

impl Problem {
    pub(crate) fn of(json: &Json) -> Self {
        Self {
            start: P::of(&json.at("p0")),
            target: P::of(&json.at("target")),
            curvature: P::of(&json.at("curvature")),
        }
    }

    pub(crate) fn gradient(&self, at: &P) -> P {
        P {
            a: &self.curvature.a * (&at.a - &self.target.a),
            s: self.curvature.s * (at.s - self.target.s),
            w: &self.curvature.w * (&at.w - &self.target.w),
        }
    }
}

/// Some of the steps of a trajectory.
pub(crate) struct Trajectory {
    pub(crate) problem: Problem,
    pub(crate) rows: Vec<Row>,
}

/// What is known of one of them.
pub(crate) struct Row {
    pub(crate) step: u64,
    pub(crate) params: P,
    json: Json,
}

/// The moments in the files, and what they are called here.
const MOMENTS: [(&str, &str); 3] = [("mu", "mu"), ("nu", "nu"), ("trace", "velocity")];

impl Trajectory {
    pub(crate) fn read(name: &str) -> Self {
        let json = read(name);
        let row = |json: Json| Row {
            step: json.at("step").count(),
            params: P::of(&json.at("params")),
            json,
        };
        Self {
            problem: Problem::of(&json.at("problem")),
            rows: json.at("steps").list().into_iter().map(row).collect(),
        }
    }

    /// Takes all the steps, and returns the greatest relative error of a number.
    pub(crate) fn follow<R: Rule>(&self, optimizer: Optimizer<R>) -> f64 {
        self.follow_with(optimizer, |_, _| {})
    }

    /// As [`follow`](Self::follow), with something to be done before each step.
    pub(crate) fn follow_with<R: Rule>(
        &self,
        mut optimizer: Optimizer<R>,
        before: impl Fn(u64, &mut Optimizer<R>),
    ) -> f64 {
        let mut point = self.problem.start.clone();
        let mut worst: f64 = 0.0;
        for row in &self.rows {
            while optimizer.steps() < row.step {
                before(optimizer.steps() + 1, &mut optimizer);
                let gradient = self.problem.gradient(&point);
                optimizer.step(&mut point, &gradient).unwrap();
            }
            worst = worst
                .max(row.error(&point))
                .max(row.state_error(&optimizer));
        }
        worst
    }
}

impl Row {
    /// How far a point is from this row's.
    pub(crate) fn error(&self, point: &P) -> f64 {
        error(&point.numbers(), &self.params.numbers())
    }

    /// How far the moments are from those that the row has.
    fn state_error<R: Rule>(&self, optimizer: &Optimizer<R>) -> f64 {
        let state = values(optimizer);
        let mut worst: f64 = 0.0;
        for (theirs, ours) in MOMENTS {
            let Some(moment) = self.json.find(theirs) else {
                continue;
            };
            for leaf in ["a", "s", "w"] {
                let expected = moment.at(leaf).numbers();
                let got = &state[&format!("leaves.{leaf}.{ours}")];
                worst = worst.max(error(got, &expected));
            }
        }
        if let Some(count) = self.json.find("count") {
            for leaf in ["a", "s", "w"] {
                assert_eq!(state[&format!("leaves.{leaf}.count")], [count.number()]);
                assert_eq!(optimizer.count(leaf).unwrap(), count.count());
            }
        }
        worst
    }
}

/// The greatest relative error. Where Optax has 0, as of a point that reaches its target, so must
/// the number be.
pub(crate) fn error(got: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(got.len(), expected.len());
    let relative = |(got, expected): (&f64, &f64)| {
        if got.to_bits() == expected.to_bits() {
            return 0.0;
        }
        (got - expected).abs() / expected.abs()
    };
    got.iter().zip(expected).map(relative).fold(0.0, f64::max)
}
