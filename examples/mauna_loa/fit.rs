//! L-BFGS from argmin over the flat unconstrained vector.

use std::cell::RefCell;
use std::error::Error;
use std::time::{Duration, Instant};

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{
    CostFunction, Error as SolverError, Executor, Gradient, IterState, KV, State, TerminationReason,
};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use indicatif::{ProgressBar, ProgressStyle};
use paramtree::Layout;

use crate::model::Model;
use crate::posterior::Posterior;
use crate::record::Record;

/// How many steps L-BFGS remembers: more than there are directions, so that it has seen them all.
const MEMORY: usize = 20;

pub(crate) struct Fit {
    pub(crate) log_marginal_likelihood: f64,
    pub(crate) iterations: u64,
    pub(crate) evaluations: usize,
    pub(crate) time: Duration,
}

/// Maximises the log marginal likelihood. On an error the model is as it was.
pub(crate) fn fit(model: &mut Model, record: &Record) -> Result<Fit, Box<dyn Error>> {
    let start = Instant::now();
    let layout = Layout::of(model)?;
    let x: Vec<f64> = layout.flatten(model)?;
    let objective = Objective::new(&layout, Posterior::new(model, record)?);
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY)
        .with_tolerance_grad(1e-6)?
        .with_tolerance_cost(1e-12)?;
    let result = Executor::new(objective, solver)
        .configure(|state| state.param(x).max_iters(200))
        .add_observer(Progress::new(record)?, ObserverMode::Always)
        .run()?;

    let state = result.state();
    match state.get_termination_reason() {
        Some(TerminationReason::SolverConverged) => {}
        reason => return Err(format!("L-BFGS stopped before it converged: {reason:?}").into()),
    }
    let best = state.get_best_param().ok_or("L-BFGS has no result")?;
    layout.unflatten(model, best)?;
    Ok(Fit {
        log_marginal_likelihood: -record.count() * state.get_best_cost(),
        iterations: state.get_iter(),
        evaluations: result.problem.problem.map_or(0, Objective::evaluations),
        time: start.elapsed(),
    })
}

/// The negative log marginal likelihood of each measurement, on average.
///
/// The first step of L-BFGS is as long as the gradient: with the sum in place of the average it
/// would multiply the noise by e³⁶⁹.
struct Objective<'a> {
    layout: &'a Layout,
    count: f64,
    last: RefCell<Evaluation<'a>>,
}

/// argmin asks for the cost and the gradient at one point in two calls; most of the work is
/// common to both, so the second call is answered from here.
struct Evaluation<'a> {
    posterior: Posterior<'a>,
    x: Vec<f64>,
    cost: f64,
    gradient: Vec<f64>,
    count: usize,
}

impl<'a> Objective<'a> {
    fn new(layout: &'a Layout, posterior: Posterior<'a>) -> Self {
        Self {
            layout,
            count: posterior.record().count(),
            last: RefCell::new(Evaluation {
                posterior,
                x: Vec::new(),
                cost: f64::NAN,
                gradient: vec![0.0; layout.len()],
                count: 0,
            }),
        }
    }

    fn evaluations(self) -> usize {
        self.last.into_inner().count
    }

    fn read<T>(&self, x: &[f64], answer: impl Fn(&Evaluation) -> T) -> Result<T, SolverError> {
        let last = &mut *self.last.borrow_mut();
        if last.x != x {
            self.evaluate(x, last)?;
        }
        Ok(answer(last))
    }

    fn evaluate(&self, x: &[f64], last: &mut Evaluation) -> Result<(), SolverError> {
        last.x.clear();
        self.layout.unflatten(last.posterior.model_mut(), x)?;
        last.posterior.update()?;
        last.cost = -last.posterior.log_marginal_likelihood() / self.count;
        let gradient = last.posterior.gradient();
        self.layout
            .pullback_into(last.posterior.model(), x, &gradient, &mut last.gradient)?;
        for slope in &mut last.gradient {
            *slope /= -self.count;
        }
        last.x.extend_from_slice(x);
        last.count += 1;
        Ok(())
    }
}

impl CostFunction for Objective<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, SolverError> {
        self.read(x, |last| last.cost)
    }
}

impl Gradient for Objective<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, SolverError> {
        self.read(x, |last| last.gradient.clone())
    }
}

/// A line for each iteration, and a clock while the fit runs on a terminal.
struct Progress {
    bar: ProgressBar,
    count: f64,
}

impl Progress {
    fn new(record: &Record) -> Result<Self, Box<dyn Error>> {
        let style = ProgressStyle::with_template("{spinner} iteration {pos}, {elapsed_precise}")?;
        Ok(Self {
            bar: ProgressBar::new_spinner().with_style(style),
            count: record.count(),
        })
    }
}

type Iteration = IterState<Vec<f64>, Vec<f64>, (), (), (), f64>;

impl Observe<Iteration> for Progress {
    fn observe_iter(&mut self, state: &Iteration, _: &KV) -> Result<(), SolverError> {
        let gradient = state.get_gradient().map_or(&[][..], Vec::as_slice);
        let norm_squared: f64 = gradient.iter().map(|slope| slope * slope).sum();
        let line = format!(
            "iteration {:>3}   log marginal likelihood {:>12.6}   gradient norm {:8.1e}",
            state.get_iter() + 1,
            -self.count * state.get_cost(),
            self.count * norm_squared.sqrt(),
        );
        self.bar.inc(1);
        // Works where there is no terminal too, which `ProgressBar::println` does not.
        self.bar.suspend(|| println!("{line}"));
        Ok(())
    }

    fn observe_final(&mut self, _: &Iteration) -> Result<(), SolverError> {
        self.bar.finish_and_clear();
        Ok(())
    }
}
