//! The loss, and its gradient by the chain rule: from the scores back to the lowest layer that
//! trains, and no further.

use ndarray::{Array2, Axis};

use crate::images::Digits;
use crate::model::{Dense, Net, Scaling};

/// The mean cross-entropy.
pub(crate) fn loss(net: &Net, digits: &Digits) -> f64 {
    let (_, scores) = net.forward(&digits.images);
    cross_entropy(scores, digits).0
}

/// Its gradient, as a network. It is empty in the layers that do not train: nothing is computed
/// that no optimiser reads.
pub(crate) fn gradient(net: &Net, digits: &Digits, trains: &[bool]) -> Net {
    let (inputs, scores) = net.forward(&digits.images);
    let (_, mut slopes) = cross_entropy(scores, digits);

    let layers: Vec<&Dense> = net.layers().collect();
    let mut gradients = vec![Dense::default(); layers.len()];
    let lowest = trains.iter().take_while(|trains| !**trains).count();
    for at in (lowest..layers.len()).rev() {
        if trains[at] {
            gradients[at] = Dense {
                weight: inputs[at].t().dot(&slopes),
                bias: slopes.sum_axis(Axis(0)),
            };
        }
        if at > lowest {
            // The derivative of y = tanh x is 1 - y².
            slopes = slopes.dot(&layers[at].weight.t()) * inputs[at].mapv(|y| 1.0 - y * y);
        }
    }
    Net {
        head: gradients.remove(net.encoder.len()),
        encoder: gradients,
        scaling: Scaling::default(),
    }
}

/// From scores to the loss, and its derivatives by the scores.
fn cross_entropy(scores: Array2<f64>, digits: &Digits) -> (f64, Array2<f64>) {
    let (mut loss, mut slopes) = (0.0, scores);
    for (mut row, &label) in slopes.rows_mut().into_iter().zip(&digits.labels) {
        // The largest is taken out first, so that no exponential overflows.
        let largest = row.fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        row -= largest;
        loss -= row[label];
        row.mapv_inplace(f64::exp);
        let sum = row.sum();
        loss += sum.ln();
        row /= sum;
        row[label] -= 1.0;
    }
    (loss / digits.count(), slopes / digits.count())
}
