//! Holds the gradient against finite differences, in a network that is small enough to try
//! every parameter.

use std::error::Error;

use ndarray::Array2;
use paramtree::Layout;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

use crate::backward;
use crate::checks::Checks;
use crate::differences;
use crate::images::Digits;
use crate::model::{Net, Scaling};

const TOLERANCE: f64 = 1e-9;

pub(crate) fn compare(random: &mut Pcg64, checks: &mut Checks) -> Result<(), Box<dyn Error>> {
    let images = Array2::from_shape_simple_fn((5, 6), || StandardNormal.sample(random));
    let labels = vec![0, 2, 1, 2, 0];
    let digits = Digits { images, labels };
    let net = Net::new([6, 5, 4, 3], Scaling::of(&digits.images), random);

    let layout = Layout::of(&net)?;
    let gradient = backward::gradient(&net, &digits, &[true; 3]);
    let ours: Vec<f64> = layout.pullback(&net, &gradient)?;
    let x: Vec<f64> = layout.flatten(&net)?;
    let mut worst = 0.0_f64;
    for (at, slope) in ours.iter().enumerate() {
        let expected = differences::along(at, &x, |x| {
            let mut net = net.clone();
            layout.unflatten(&mut net, x)?;
            Ok(vec![backward::loss(&net, &digits)])
        })?[0];
        worst = worst.max((slope - expected).abs() / expected.abs().max(0.1));
    }
    let count = layout.len();
    let fact = format!("{count} slopes are off by {worst:.1e} at most, of {TOLERANCE:e} allowed");
    checks.expect(worst <= TOLERANCE, &fact);
    Ok(())
}
