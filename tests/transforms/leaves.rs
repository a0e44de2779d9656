//! Maps of vectors and matrices on the leaves of a model.

use ndarray::{Array1, Array2, Array3, array};
use paramtree::transform::{Chain, Ordered, Positive, RowStochastic, Simplex};
use paramtree::{Error, Layout, Module};

#[derive(Module, Clone, Debug, PartialEq)]
struct Mixture {
    #[param(transform = Simplex)]
    weights: Array1<f64>,
    #[param(transform = Ordered)]
    means: Vec<f64>,
    #[param(transform = Chain(Ordered, Positive))]
    scales: [f32; 2],
    #[param(transform = RowStochastic)]
    transitions: Array3<f64>,
}

fn mixture() -> Mixture {
    Mixture {
        weights: array![0.25, 0.25, 0.5],
        means: vec![-1.0, 0.5, 2.0],
        scales: [0.5, 2.0],
        transitions: array![[[0.5, 0.5], [0.25, 0.75]], [[0.125, 0.875], [0.5, 0.5]]],
    }
}

fn assert_near(got: f64, expected: f64) {
    assert!((got - expected).abs() < 1e-6, "{got}, not {expected}");
}

#[test]
fn a_model_goes_there_and_back() -> Result<(), Error> {
    let mut model = mixture();
    let layout = Layout::of(&model)?;
    assert_eq!(layout.len(), 2 + 3 + 2 + 4);
    let x: Vec<f64> = layout.flatten(&model)?;
    layout.unflatten(&mut model, &x)?;
    let again: Vec<f64> = layout.flatten(&model)?;
    for (x, again) in x.iter().zip(again) {
        assert_near(again, *x);
    }
    assert_near(model.weights[2], 0.5);
    assert_near(f64::from(model.scales[1]), 2.0);
    Ok(())
}

#[test]
fn gradients_and_the_log_det_pull_back() -> Result<(), Error> {
    let model = mixture();
    let layout = Layout::of(&model)?;
    let x: Vec<f64> = layout.flatten(&model)?;
    let loss = |x: &[f64]| -> Result<f64, Error> {
        let mut model = mixture();
        layout.unflatten(&mut model, x)?;
        let scales = f64::from(model.scales[0]) - 2.0 * f64::from(model.scales[1]);
        Ok(3.0 * model.weights[0] - model.means[2] + scales + model.transitions[[1, 0, 1]])
    };
    let mut gradient = Mixture {
        weights: array![3.0, 0.0, 0.0],
        means: vec![0.0, 0.0, -1.0],
        scales: [1.0, -2.0],
        transitions: Array3::zeros((2, 2, 2)),
    };
    gradient.transitions[[1, 0, 1]] = 1.0;
    let pulled: Vec<f64> = layout.pullback(&model, &gradient)?;
    let mut grad = vec![0.0; x.len()];
    layout.add_log_abs_det_jacobian_grad(&model, &x, &mut grad)?;
    for i in 0..x.len() {
        let at = |step: f64| {
            let mut x = x.clone();
            x[i] += step;
            x
        };
        let step = 1e-2;
        let slope = (loss(&at(step))? - loss(&at(-step))?) / (2.0 * step);
        assert!(
            (slope - pulled[i]).abs() < 1e-3,
            "{i}: {slope} {}",
            pulled[i]
        );
        let logdet = |x: &[f64]| layout.log_abs_det_jacobian(&model, x);
        let slope = (logdet(&at(step))? - logdet(&at(-step))?) / (2.0 * step);
        assert!((slope - grad[i]).abs() < 1e-3, "{i}: {slope} {}", grad[i]);
    }
    Ok(())
}

#[test]
fn a_refusal_names_the_element() {
    let mut model = mixture();
    model.transitions[[1, 1, 0]] = 0.0;
    let error = Layout::of(&model)
        .unwrap()
        .flatten::<f64>(&model)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`transitions[1, 1, 0]`: RowStochastic refuses it: 0 is outside the open interval (0, 1)"
    );
    let mut model = mixture();
    model.weights = Array1::zeros(0);
    let error = Layout::of(&model).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`weights`: Simplex refuses it: a simplex has at least one element, and the shape is [0]"
    );
}

#[test]
fn an_array_in_another_order_is_mapped_in_row_major_order() -> Result<(), Error> {
    #[derive(Module)]
    struct Chain {
        #[param(transform = RowStochastic)]
        rows: Array2<f64>,
    }
    let columns = array![[0.5, 0.125], [0.25, 0.375], [0.25, 0.5]];
    let mut model = Chain {
        rows: columns.reversed_axes(),
    };
    let layout = Layout::of(&model)?;
    let x: Vec<f64> = layout.flatten(&model)?;
    assert_eq!(x.len(), 4);
    layout.unflatten(&mut model, &x)?;
    assert_near(model.rows[[1, 0]], 0.125);
    Ok(())
}
