//! L-BFGS from argmin over the flat unconstrained vector.

use std::error::Error;

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{
    CostFunction, Error as SolverError, Executor, Gradient, IterState, KV, State, TerminationReason,
};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use indicatif::{ProgressBar, ProgressStyle};

use crate::posterior::Posterior;

/// How many steps L-BFGS remembers: more than there are coordinates.
const MEMORY: usize = 20;

/// The point of the highest density, from `x` uphill.
pub(crate) fn fit(posterior: &Posterior<'_>, x: Vec<f64>) -> Result<Vec<f64>, Box<dyn Error>> {
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY)
        .with_tolerance_grad(1e-6)?
        .with_tolerance_cost(0.0)?;
    let result = Executor::new(Objective(posterior), solver)
        .configure(|state| state.param(x).max_iters(500))
        .add_observer(Progress::new(posterior.count())?, ObserverMode::Always)
        .run()?;
    let state = result.state();
    match state.get_termination_reason() {
        Some(TerminationReason::SolverConverged) => {}
        reason => return Err(format!("L-BFGS stopped before it converged: {reason:?}").into()),
    }
    let best = state.get_best_param().ok_or("L-BFGS has no result")?;
    Ok(best.clone())
}

/// The negative log-density for each data point, on average.
///
/// The first step of L-BFGS is as long as the gradient: that of the sum would leave the map.
struct Objective<'a>(&'a Posterior<'a>);

impl CostFunction for Objective<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, SolverError> {
        Ok(-self.0.at(x)?.sum() / self.0.count())
    }
}

impl Gradient for Objective<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, SolverError> {
        let gradient = self.0.at(x)?.gradient;
        let scaled = gradient.iter().map(|slope| -slope / self.0.count());
        Ok(scaled.collect())
    }
}

/// A line for every fifth iteration and the last, and a clock while the fit runs on a terminal.
struct Progress {
    bar: ProgressBar,
    count: f64,
}

impl Progress {
    fn new(count: f64) -> Result<Self, Box<dyn Error>> {
        let style = ProgressStyle::with_template("{spinner} iteration {pos}, {elapsed_precise}")?;
        let bar = ProgressBar::new_spinner().with_style(style);
        Ok(Self { bar, count })
    }
}

type Iteration = IterState<Vec<f64>, Vec<f64>, (), (), (), f64>;

impl Progress {
    fn show(&self, state: &Iteration, done: u64) {
        let gradient = state.get_gradient().map_or(&[][..], Vec::as_slice);
        let norm_squared: f64 = gradient.iter().map(|slope| slope * slope).sum();
        let line = format!(
            "{done:>3} iterations   log-posterior {:>13.6}   gradient norm {:8.1e}",
            -self.count * state.get_cost(),
            self.count * norm_squared.sqrt(),
        );
        // Works where there is no terminal too, which `ProgressBar::println` does not.
        self.bar.suspend(|| println!("{line}"));
    }
}

impl Observe<Iteration> for Progress {
    fn observe_iter(&mut self, state: &Iteration, _: &KV) -> Result<(), SolverError> {
        // It is counted after it was observed.
        let done = state.get_iter() + 1;
        self.bar.set_position(done);
        if done.is_multiple_of(5) {
            self.show(state, done);
        }
        Ok(())
    }

    fn observe_final(&mut self, state: &Iteration) -> Result<(), SolverError> {
        self.show(state, state.get_iter());
        self.bar.finish_and_clear();
        Ok(())
    }
}
