//! The numbers that one wants to know of a mixture, each with its gradient.

use crate::model::Mixture;

/// A number that follows from a mixture.
pub(crate) struct Quantity {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// Its derivatives in natural space.
    pub(crate) gradient: Mixture,
}

/// Each parameter; of the correlations' factor, the correlations that it stands for.
pub(crate) fn of(mixture: &Mixture) -> Vec<Quantity> {
    let (components, others) = mixture.offset.dim();
    let axes = mixture.spread.scale.len();
    let mut all = Vec::new();
    let mut push = |name, at: &dyn Fn(&mut Mixture) -> &mut f64| {
        all.push(Quantity::element(mixture, name, at));
    };
    for k in 0..components {
        push(format!("weights[{k}]"), &|m| &mut m.weights[k]);
    }
    for k in 0..components {
        push(format!("location[{k}]"), &|m| &mut m.location[k]);
    }
    for k in 0..components {
        for j in 0..others {
            push(format!("offset[{k}, {j}]"), &|m| &mut m.offset[[k, j]]);
        }
    }
    for axis in 0..axes {
        push(format!("scale[{axis}]"), &|m| &mut m.spread.scale[axis]);
    }
    for i in 0..axes {
        all.extend((0..i).map(|j| Quantity::correlation(mixture, i, j)));
    }
    all
}

impl Quantity {
    fn element(mixture: &Mixture, name: String, at: &dyn Fn(&mut Mixture) -> &mut f64) -> Self {
        let mut gradient = mixture.zero_gradient();
        *at(&mut gradient) = 1.0;
        Self {
            name,
            value: *at(&mut mixture.clone()),
            gradient,
        }
    }

    /// Between two axes: the product of two rows of the factor.
    fn correlation(mixture: &Mixture, i: usize, j: usize) -> Self {
        let (first, second) = (mixture.spread.factor.row(i), mixture.spread.factor.row(j));
        let mut gradient = mixture.zero_gradient();
        gradient.spread.factor.row_mut(i).assign(&second);
        gradient.spread.factor.row_mut(j).assign(&first);
        Self {
            name: format!("correlation[{i}, {j}]"),
            value: first.dot(&second),
            gradient,
        }
    }
}
