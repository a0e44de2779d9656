//! The reference values of `WeightNorm`, in both precisions.

use ndarray::{Array1, Array2, Ix2};
use paramtree::{Inexact, Parameterization, WeightNorm};

use crate::fixture::{EventCase, groups};

/// The tolerances of the reference values: 64 ulp for each element, where nothing cancels, and
/// 16 ε of the largest.
fn check<T: Inexact>(key: &str) {
    let group = groups("weight_norm").remove(0);
    let shape = group.shape();
    let (rows, columns) = (shape[0], shape[1]);
    for case in group.event_cases(key) {
        let EventCase {
            x, y, y_bar, vjp, ..
        } = case;
        let array = |values: &[f64]| {
            let values = values.iter().map(|v| T::from_f64(*v)).collect();
            Array2::from_shape_vec((rows, columns), values).unwrap()
        };
        // The file's order is g, then v.
        let (scale, direction) = x.split_at(rows);
        let weight: WeightNorm<T, Ix2> = WeightNorm {
            direction: array(direction),
            scale: scale.iter().map(|v| T::from_f64(*v)).collect::<Array1<T>>(),
        };
        let value = weight.value();
        for (got, expected) in value.iter().zip(&y) {
            close(*got, *expected, 64.0 * expected.abs());
        }
        let bar = weight.pullback(&array(&y_bar));
        let size = vjp.iter().fold(0.0, |size: f64, v| size.max(v.abs()));
        for (got, expected) in bar.scale.iter().chain(&bar.direction).zip(&vjp) {
            close(*got, *expected, 16.0 * size);
        }
    }
}

fn close<T: Inexact>(got: T, expected: f64, tolerance: f64) {
    let error = (got.to_f64() - expected).abs();
    let allowed = tolerance * T::epsilon().to_f64();
    assert!(error <= allowed, "{got}, not {expected}: {error:e}");
}

#[test]
fn reference_values() {
    check::<f64>("cases");
    check::<f32>("cases_f32");
}
