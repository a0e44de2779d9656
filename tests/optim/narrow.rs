//! 32 bits, where what is the same for a whole leaf is computed in 64.

use ndarray::{Array1, Array2};
use paramtree::Module;
use paramtree::optim::AdamW;

use crate::all;
use crate::json::{Json, read};
use crate::problem::Trajectory;

#[derive(Clone, Debug, Module)]
struct Narrow {
    a: Array1<f32>,
    s: f32,
    w: Array2<f32>,
}

impl Narrow {
    #[allow(clippy::cast_possible_truncation)] // the file's numbers, rounded once
    fn of(json: &Json) -> Self {
        let numbers = |key: &str| json.at(key).numbers().iter().map(|&x| x as f32).collect();
        let s: Vec<f32> = numbers("s");
        Self {
            a: Array1::from_vec(numbers("a")),
            s: s[0],
            w: Array2::from_shape_vec((2, 2), numbers("w")).unwrap(),
        }
    }

    fn numbers(&self) -> Vec<f64> {
        let s = std::iter::once(&self.s);
        let all = self.a.iter().chain(s).chain(&self.w);
        all.map(|&x| x.into()).collect()
    }
}

/// The greatest difference.
fn distance(left: &[f64], right: &[f64]) -> f64 {
    let each = left
        .iter()
        .zip(right)
        .map(|(left, right)| (left - right).abs());
    each.fold(0.0, f64::max)
}

#[test]
fn near_optax_and_nearer_the_truth() {
    let file = read("adamw_default_f32");
    let problem = file.at("problem");
    let target = Narrow::of(&problem.at("target"));
    let curvature = Narrow::of(&problem.at("curvature"));
    let mut point = Narrow::of(&problem.at("p0"));
    let mut optimizer = all(&point, AdamW::new(0.1).weight_decay(1e-4));

    let truth = Trajectory::read("adamw_default");
    let (mut ours, mut theirs): (f64, f64) = (0.0, 0.0);
    for (row, wide) in file.at("eager").list().iter().zip(&truth.rows) {
        assert_eq!(row.at("step").count(), wide.step);
        while optimizer.steps() < wide.step {
            let gradient = Narrow {
                a: &curvature.a * (&point.a - &target.a),
                s: curvature.s * (point.s - target.s),
                w: &curvature.w * (&point.w - &target.w),
            };
            optimizer.step(&mut point, &gradient).unwrap();
        }
        let optax = Narrow::of(&row.at("params")).numbers();
        assert!(distance(&point.numbers(), &optax) <= 2e-5);
        ours = ours.max(distance(&point.numbers(), &wide.params.numbers()));
        theirs = theirs.max(row.at("max_abs_diff_to_f64").number());
    }
    // Optax takes the power of b2, and the difference from 1, in 32 bits.
    assert!(ours < theirs / 4.0, "{ours} against {theirs}");
}
