//! The log-likelihood of all points, and its gradient in natural space.

use ndarray::{Array1, Array2, Axis, Slice};

use crate::components::Components;
use crate::model::{Mixture, Spread};
use crate::triangular;

/// Returns the log-likelihood, and adds its derivatives to `gradient`.
pub(crate) fn add(mixture: &Mixture, points: &Array2<f64>, gradient: &mut Mixture) -> f64 {
    let mut components = Components::new(mixture);
    let sums = Sums::over(points, &mut components);
    let root = components.root();

    gradient.weights += &(&sums.counts / &mixture.weights);

    // With z = A⁻¹ (point - centre), -½ zᵀz has the slope A⁻ᵀz along the centre…
    let mut centres = sums.whitened;
    for (k, mut slope) in centres.rows_mut().into_iter().enumerate() {
        triangular::solve_transposed(root, &mut slope);
        gradient.location[k] += slope[0];
        let mut offset = gradient.offset.row_mut(k);
        offset += &slope.slice_axis(Axis(0), Slice::from(1..));
    }

    // … and the slope A⁻ᵀz zᵀ along A, of which what lies below the diagonal counts.
    let mut along_root = sums.scatter;
    for mut column in along_root.columns_mut() {
        triangular::solve_transposed(root, &mut column);
    }
    let mut diagonal = along_root.diag_mut();
    diagonal -= &(sums.counts.sum() / &root.diag());
    add_root(&mixture.spread, &along_root, &mut gradient.spread);
    sums.log_likelihood
}

/// From the rows of A to the scales and rows of the factor that they are products of.
fn add_root(spread: &Spread, along_root: &Array2<f64>, gradient: &mut Spread) {
    for row in 0..spread.scale.len() {
        for column in 0..=row {
            let slope = along_root[[row, column]];
            gradient.scale[row] += slope * spread.factor[[row, column]];
            gradient.factor[[row, column]] += slope * spread.scale[row];
        }
    }
}

/// All that the gradient needs of the points. Each counts for a component by the probability that
/// it came from there.
struct Sums {
    log_likelihood: f64,
    /// The points of each component.
    counts: Array1<f64>,
    /// Σ z, a row for each component.
    whitened: Array2<f64>,
    /// Σ z zᵀ, over all components.
    scatter: Array2<f64>,
}

impl Sums {
    fn over(points: &Array2<f64>, components: &mut Components) -> Self {
        let (count, dimensions) = components.whitened().dim();
        let mut sums = Self {
            log_likelihood: 0.0,
            counts: Array1::zeros(count),
            whitened: Array2::zeros((count, dimensions)),
            scatter: Array2::zeros((dimensions, dimensions)),
        };
        for point in points.rows() {
            sums.log_likelihood += components.log_density(&point);
            sums.add(components);
        }
        sums
    }

    fn add(&mut self, components: &Components) {
        let (shares, whitened) = (components.shares(), components.whitened());
        self.counts += shares;
        for ((share, z), mut sum) in shares
            .iter()
            .zip(whitened.rows())
            .zip(self.whitened.rows_mut())
        {
            sum.scaled_add(*share, &z);
            for (mut row, entry) in self.scatter.rows_mut().into_iter().zip(z) {
                row.scaled_add(share * entry, &z);
            }
        }
    }
}
