//! The model: a small network that reads a digit from an image.

use std::mem;

use ndarray::{Array1, Array2, Axis};
use paramtree::{Error, Mask, Module};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

/// Layers from pixels to a score for each digit.
#[derive(Clone, Debug, Module)]
pub(crate) struct Net {
    /// From pixels to features.
    pub(crate) encoder: Vec<Dense>,
    /// From features to scores.
    pub(crate) head: Dense,
    /// How pixels become numbers of about one. It is measured and not learnt: no optimiser is
    /// given it, whatever a mask says.
    #[frozen]
    pub(crate) scaling: Scaling,
}

/// A layer: its inputs times `weight`, plus `bias`. The default is empty, which is all that a
/// gradient needs where nothing trains.
#[derive(Clone, Debug, Default, Module)]
pub(crate) struct Dense {
    /// A row for each input, a column for each output.
    pub(crate) weight: Array2<f64>,
    pub(crate) bias: Array1<f64>,
}

/// What is subtracted from an image, and what it is then divided by.
#[derive(Clone, Debug, Default, Module)]
pub(crate) struct Scaling {
    /// The mean image.
    pub(crate) mean: Array1<f64>,
    /// The standard deviation of all pixels about it.
    pub(crate) deviation: f64,
}

impl Net {
    /// An untrained network: so many pixels, features of two layers, and classes.
    pub(crate) fn new(widths: [usize; 4], scaling: Scaling, random: &mut Pcg64) -> Self {
        let [pixels, many, few, classes] = widths;
        Self {
            encoder: vec![
                Dense::new(pixels, many, random),
                Dense::new(many, few, random),
            ],
            head: Dense::new(few, classes, random),
            scaling,
        }
    }

    /// All layers, from the pixels up.
    pub(crate) fn layers(&self) -> impl Iterator<Item = &Dense> {
        self.encoder.iter().chain([&self.head])
    }

    /// The path of each layer.
    pub(crate) fn paths(&self) -> Vec<String> {
        let encoder = (0..self.encoder.len()).map(|layer| format!("encoder.{layer}"));
        encoder.chain(["head".to_owned()]).collect()
    }

    /// Which layers train under a mask.
    pub(crate) fn trained(&self, mask: &Mask) -> Result<Vec<bool>, Error> {
        let paths = self.paths();
        paths.iter().map(|path| mask.trains_any(path)).collect()
    }

    /// From images, one a row, to what each layer is given, and the scores.
    pub(crate) fn forward(&self, images: &Array2<f64>) -> (Vec<Array2<f64>>, Array2<f64>) {
        let mut features = (images - &self.scaling.mean) / self.scaling.deviation;
        let mut inputs = Vec::new();
        for layer in &self.encoder {
            let next = layer.apply(&features).mapv_into(f64::tanh);
            inputs.push(mem::replace(&mut features, next));
        }
        let scores = self.head.apply(&features);
        inputs.push(features);
        (inputs, scores)
    }
}

impl Dense {
    /// Random weights of a size that keeps what passes through at its own.
    fn new(inputs: usize, outputs: usize, random: &mut Pcg64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let size = (inputs as f64).sqrt().recip();
        let mut weight: Array2<f64> =
            Array2::from_shape_simple_fn((inputs, outputs), || StandardNormal.sample(random));
        weight *= size;
        let bias = Array1::zeros(outputs);
        Self { weight, bias }
    }

    fn apply(&self, inputs: &Array2<f64>) -> Array2<f64> {
        inputs.dot(&self.weight) + &self.bias
    }
}

impl Scaling {
    pub(crate) fn of(images: &Array2<f64>) -> Self {
        let mean = images.mean_axis(Axis(0)).unwrap_or_default();
        let deviation = (images - &mean).std(0.0);
        Self { mean, deviation }
    }
}
