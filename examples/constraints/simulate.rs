//! Points drawn from a mixture that is known.

use std::error::Error;

use ndarray::{Array1, Array2, array};
use rand_distr::weighted::WeightedIndex;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

use crate::model::{Mixture, Prior, Spread};

/// What the fit has to find.
pub(crate) fn truth() -> Mixture {
    Mixture {
        weights: array![0.5, 0.3, 0.2],
        location: array![-2.0, 0.5, 2.5],
        offset: array![[0.0, 1.0], [2.0, -1.0], [-1.0, 0.5]],
        spread: Spread {
            scale: array![1.0, 0.7, 1.3],
            // The correlations are 0.6, -0.48 and 0.192.
            factor: array![[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [-0.48, 0.6, 0.64]],
        },
        prior: Prior::weak(),
    }
}

/// Draws points, a row for each.
pub(crate) fn draw(
    mixture: &Mixture,
    count: usize,
    random: &mut Pcg64,
) -> Result<Array2<f64>, Box<dyn Error>> {
    let component = WeightedIndex::new(&mixture.weights)?;
    let (centres, root) = (mixture.centres(), mixture.spread.root());
    let mut points = Array2::zeros((count, centres.ncols()));
    for mut point in points.rows_mut() {
        let centre = centres.row(component.sample(random));
        point.assign(&(&centre + &root.dot(&standard_normal(centre.len(), random))));
    }
    Ok(points)
}

/// Independent numbers of mean zero and variance one.
pub(crate) fn standard_normal(count: usize, random: &mut Pcg64) -> Array1<f64> {
    StandardNormal.sample_iter(random).take(count).collect()
}
