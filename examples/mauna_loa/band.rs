//! A mean with its 95 % band, as points of the picture.

use std::ops::Range;

use plotters::prelude::{Color, Polygon, RGBColor};

use crate::posterior::Prediction;

/// Standard deviations on either side that hold 95 %.
const REACH: f64 = 1.96;

pub(crate) struct Band {
    mean: Vec<(f64, f64)>,
    /// Along the upper bound and back along the lower one.
    outline: Vec<(f64, f64)>,
}

impl Band {
    /// The prediction of each year; `offset` ppm are added to it.
    pub(crate) fn new(years: &[f64], prediction: &Prediction, offset: f64) -> Self {
        let at = |reach: f64| {
            let values = prediction.mean.iter().zip(&prediction.deviation);
            let values = values.map(move |(mean, deviation)| offset + mean + reach * deviation);
            years.iter().copied().zip(values)
        };
        Self {
            mean: at(0.0).collect(),
            outline: at(REACH).chain(at(-REACH).rev()).collect(),
        }
    }

    pub(crate) fn mean(&self) -> impl Iterator<Item = (f64, f64)> {
        self.mean.iter().copied()
    }

    pub(crate) fn area(&self, color: RGBColor) -> Polygon<(f64, f64)> {
        Polygon::new(self.outline.clone(), color.mix(0.25))
    }

    /// The ppm that it spans, with some air.
    pub(crate) fn range(&self) -> Range<f64> {
        let ppm = || self.outline.iter().map(|(_, ppm)| *ppm);
        let low = ppm().fold(f64::INFINITY, f64::min);
        let high = ppm().fold(f64::NEG_INFINITY, f64::max);
        let air = 0.05 * (high - low);
        low - air..high + air
    }
}
