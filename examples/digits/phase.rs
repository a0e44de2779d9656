//! A phase of training, and what was seen of it.

use ndarray::Zip;

use crate::backward;
use crate::images::{Digits, Task};
use crate::model::{Dense, Net};

pub(crate) struct Phase {
    pub(crate) name: &'static str,
    /// The name of the task.
    pub(crate) task: &'static str,
    /// In epochs.
    pub(crate) duration: u32,
    /// Which layers train.
    pub(crate) trains: Vec<bool>,
    pub(crate) before: Net,
    pub(crate) after: Net,
    /// The start, and the end of each epoch.
    pub(crate) epochs: Vec<Epoch>,
}

pub(crate) struct Epoch {
    pub(crate) train_loss: f64,
    pub(crate) held_out_loss: f64,
    /// How far each layer is from where the phase began.
    pub(crate) movement: Vec<f64>,
}

impl Epoch {
    pub(crate) fn of(net: &Net, before: &Net, task: &Task) -> Self {
        let layers = net.layers().zip(before.layers());
        Self {
            train_loss: backward::loss(net, &task.train),
            held_out_loss: backward::loss(net, &task.held_out),
            movement: layers.map(|(now, then)| distance(now, then)).collect(),
        }
    }
}

/// The share of images in which the right digit has the highest score.
pub(crate) fn accuracy(net: &Net, digits: &Digits) -> f64 {
    let (_, scores) = net.forward(&digits.images);
    let images = scores.rows().into_iter().zip(&digits.labels);
    let right = images.map(|(row, &label)| row.iter().all(|&score| score <= row[label]));
    right.map(|right| f64::from(u8::from(right))).sum::<f64>() / digits.count()
}

fn distance(a: &Dense, b: &Dense) -> f64 {
    let add = |sum, a: &f64, b: &f64| sum + (a - b).powi(2);
    let weights = Zip::from(&a.weight).and(&b.weight).fold(0.0, add);
    Zip::from(&a.bias).and(&b.bias).fold(weights, add).sqrt()
}
