//! Training, phase by phase: what is frozen changes, network and optimiser go on.

use std::error::Error;

use indicatif::{ProgressBar, ProgressStyle};
use paramtree::optim::{AdamW, Optimizer, Schedule};
use paramtree::{By, Mask};
use rand_pcg::Pcg64;

use crate::backward;
use crate::images::Task;
use crate::model::Net;
use crate::phase::{Epoch, Phase};

const BATCH: usize = 32;
/// The highest learning rate of a phase.
const PEAK: f64 = 3e-3;
/// Epochs until it is reached.
const WARM_UP: u32 = 2;

/// A network, and what trains it.
pub(crate) struct Trainer {
    pub(crate) net: Net,
    pub(crate) optimizer: Optimizer<AdamW>,
    random: Pcg64,
}

impl Trainer {
    pub(crate) fn new(net: Net, random: Pcg64) -> Result<Self, paramtree::Error> {
        // Weights decay; biases are as large as the data ask for.
        let optimizer = AdamW::new(PEAK)
            .weight_decay(0.1)
            .builder()
            .group("biases", By::Pattern("**.bias"), |r| r.weight_decay(0.0))
            .clip_global_norm(1.0)
            .build(&net, &Mask::of(&net))?;
        Ok(Self {
            net,
            optimizer,
            random,
        })
    }

    /// Trains what the mask says, and nothing else.
    pub(crate) fn run(
        &mut self,
        name: &'static str,
        task: &Task,
        mask: &Mask,
        duration: u32,
    ) -> Result<Phase, Box<dyn Error>> {
        self.optimizer.set_mask(mask)?;
        self.set_schedule(task, duration)?;
        let trains = self.net.trained(mask)?;
        let before = self.net.clone();
        let mut epochs = vec![Epoch::of(&self.net, &before, task)];

        let bar = progress(name, duration)?;
        for _ in 0..duration {
            for batch in task.train.batches(BATCH, &mut self.random) {
                let gradient = backward::gradient(&self.net, &batch, &trains);
                self.optimizer.step(&mut self.net, &gradient)?;
            }
            let epoch = Epoch::of(&self.net, &before, task);
            bar.set_message(format!("held-out loss {:.4}", epoch.held_out_loss));
            bar.inc(1);
            epochs.push(epoch);
        }
        bar.finish_and_clear();
        Ok(Phase {
            name,
            task: task.name,
            duration,
            trains,
            before,
            after: self.net.clone(),
            epochs,
        })
    }

    /// Up, and down again to nothing, from here on.
    fn set_schedule(&mut self, task: &Task, duration: u32) -> Result<(), Box<dyn Error>> {
        let batches = u64::try_from(task.train.labels.len().div_ceil(BATCH))?;
        let steps = |epochs: u32| u64::from(epochs) * batches;
        let (warm_up, all) = (steps(WARM_UP), steps(duration));
        let phase = Schedule::warmup_cosine(0.1 * PEAK, PEAK, warm_up, all, 0.0);
        self.optimizer.set_lr(phase)?;
        Ok(())
    }
}

fn progress(name: &'static str, duration: u32) -> Result<ProgressBar, Box<dyn Error>> {
    let style = ProgressStyle::with_template("{prefix:<12} {bar:40} {pos:>3}/{len} {msg}")?;
    let bar = ProgressBar::new(duration.into()).with_style(style);
    Ok(bar.with_prefix(name))
}
