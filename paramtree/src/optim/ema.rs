//! Moving averages of parameters.

use super::rule::check_share;
use super::schedule::number;
use crate::element::Inexact;
use crate::error::Error;
use crate::layout::Layout;
use crate::mask::Mask;
use crate::module::Module;

/// An exponential moving average of the parameters that train.
///
/// The mean is taken in unconstrained space, where the mean of valid points is valid. `F` is
/// its precision.
///
/// | | |
/// |---|---|
/// | update | a = decay · a + (1 - decay) · x |
/// | start | a is the parameters that it is made of; [`debiased`](Self::debiased): 0, and a / (1 - decayᵗ) is read |
///
/// Source: Polyak and Juditsky, "Acceleration of Stochastic Approximation by Averaging", 1992;
/// `optax.incremental_update` and, debiased, `optax.ema`.
///
/// ```
/// use paramtree::optim::Ema;
/// use paramtree::{Mask, Module};
///
/// #[derive(Clone, Module)]
/// struct Model { weight: f64, #[frozen] scale: f64 }
///
/// let mut model = Model { weight: 1.0, scale: 5.0 };
/// let mut ema = Ema::<f64>::new(&model, &Mask::of(&model), 0.75)?;
/// model.weight = 2.0;
/// ema.update(&model)?;
///
/// let mut average = model.clone();
/// ema.write(&mut average)?;
/// assert_eq!((average.weight, average.scale), (1.25, 5.0));
/// # Ok::<(), paramtree::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ema<F> {
    layout: Layout,
    decay: f64,
    debias: bool,
    count: u64,
    average: Vec<F>,
    /// What is flattened, and what is written.
    room: Vec<F>,
}

impl<F: Inexact> Ema<F> {
    /// The average of the leaves that train under a mask, which starts from this model.
    ///
    /// # Errors
    ///
    /// The decay is not in [0, 1); the mask is of a model of another structure; or a transform
    /// refuses a value.
    pub fn new<M: Module + ?Sized>(model: &M, mask: &Mask, decay: f64) -> Result<Self, Error> {
        let mut ema = Self::debiased(model, mask, decay)?;
        ema.layout.flatten_into(model, &mut ema.average)?;
        ema.debias = false;
        Ok(ema)
    }

    /// The average of what [`update`](Self::update) is given, and of nothing else.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn debiased<M: Module + ?Sized>(model: &M, mask: &Mask, decay: f64) -> Result<Self, Error> {
        check_share("decay", decay)?;
        let layout = Layout::new(model, mask)?;
        let zeros = vec![F::ZERO; layout.len()];
        Ok(Self {
            layout,
            decay,
            debias: true,
            count: 0,
            average: zeros.clone(),
            room: zeros,
        })
    }

    /// Takes the model's parameters into the average.
    ///
    /// # Errors
    ///
    /// The model has another structure or shape, or a transform refuses a value. The average
    /// has then not changed.
    pub fn update<M: Module + ?Sized>(&mut self, model: &M) -> Result<(), Error> {
        self.layout.flatten_into(model, &mut self.room)?;
        let (keep, new) = (F::from_f64(self.decay), F::from_f64(1.0 - self.decay));
        for (average, &x) in self.average.iter_mut().zip(&self.room) {
            *average = new * x + keep * *average;
        }
        self.count += 1;
        Ok(())
    }

    /// Writes the average into a model: its own, or a copy. Before the first update of one that
    /// is debiased there is none, and the model stays as it is.
    ///
    /// # Errors
    ///
    /// The model has another structure or shape. It is then as it was.
    pub fn write<M: Module + ?Sized>(&mut self, model: &mut M) -> Result<(), Error> {
        if !self.debias {
            return self.layout.unflatten(model, &self.average);
        }
        if self.count == 0 {
            return Ok(());
        }
        let held = F::from_f64(1.0 - self.decay.powf(number(self.count)));
        for (out, &average) in self.room.iter_mut().zip(&self.average) {
            *out = average / held;
        }
        self.layout.unflatten(model, &self.room)
    }

    /// The number of updates.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The average as a flat vector in unconstrained space, before any correction of its bias.
    #[must_use]
    pub fn flat(&self) -> &[F] {
        &self.average
    }
}
