//! Gradients in natural space, pulled back to the flat vector.

use std::collections::HashMap;

use ndarray::{Array0, Array1, Array2, ArrayD, Axis, arr0, array};
use paramtree::transform::{Positive, Softplus};
use paramtree::{Error, Layout, Mask, Module, zeros_like};

use crate::{assert_near, bits};

#[test]
fn what_does_not_train_has_no_gradient() {
    #[derive(Clone, Module)]
    struct T {
        a: Array1<f64>,
        #[frozen]
        b: Array1<f64>,
        c: f64,
    }
    let model = T {
        a: array![1.0, 2.0],
        b: array![4.0, 5.0],
        c: 3.0,
    };
    let mut mask = Mask::of(&model);
    mask.freeze("c").unwrap();
    let layout = Layout::new(&model, &mask).unwrap();
    let ones = T {
        a: array![1.0, 1.0],
        b: array![1.0, 1.0],
        c: 1.0,
    };
    let flat: Vec<f64> = layout.pullback(&model, &ones).unwrap();
    assert_eq!(flat, [1.0, 1.0]);

    let mut tree = zeros_like(&model);
    layout.unflatten(&mut tree, &flat).unwrap();
    assert_eq!(
        (tree.a, tree.b, tree.c),
        (array![1.0, 1.0], array![0.0, 0.0], 0.0)
    );
}

#[derive(Clone, Debug, Module)]
struct N {
    w: Array1<f64>,
    unused: Array1<f64>,
    more: HashMap<String, f64>,
    v: Vec<f64>,
}

fn n() -> N {
    N {
        w: array![1.0],
        unused: array![2.0, 3.0],
        more: HashMap::from([("x".to_owned(), 4.0)]),
        v: vec![5.0],
    }
}

/// What `pullback_into` says; it must leave the slice as it was.
fn refusal(layout: &Layout, model: &N, gradient: &N) -> Error {
    let mut out = vec![7.0; layout.len()];
    let x = vec![0.0; layout.len()];
    let error = layout
        .pullback_into(model, &x, gradient, &mut out)
        .unwrap_err();
    assert!(out.iter().all(|x| *x == 7.0));
    assert_eq!(
        layout.pullback::<f64, _>(model, gradient),
        Err(error.clone())
    );
    error
}

#[test]
fn a_missing_gradient_of_a_trained_leaf_is_an_error() {
    let model = n();
    let layout = Layout::of(&model).unwrap();
    let mut gradient = n();
    gradient.unused = array![];
    let error = refusal(&layout, &model, &gradient);
    let missing = Error::MissingGradient {
        path: "unused".into(),
        expected: vec![2],
    };
    assert_eq!(error, missing);
    assert!(error.to_string().contains("`unused` trains"));
    let mut gradient = n();
    gradient.v.clear();
    let missing = Error::MissingGradient {
        path: "v".into(),
        expected: vec![1],
    };
    assert_eq!(refusal(&layout, &model, &gradient), missing);
    // An array without elements has all of its gradient.
    let mut model = n();
    model.w = array![];
    let layout = Layout::of(&model).unwrap();
    assert_eq!(
        layout.pullback(&model, &model),
        Ok(vec![2.0, 3.0, 4.0, 5.0])
    );
}

#[test]
fn a_surplus_path_is_an_error() {
    let model = n();
    let layout = Layout::of(&model).unwrap();
    let mut gradient = n();
    gradient.more.insert("y".into(), 1.0);
    let surplus = Error::Structure {
        missing: None,
        surplus: Some("more.y".into()),
    };
    assert_eq!(refusal(&layout, &model, &gradient), surplus);
}

#[test]
fn a_missing_gradient_of_a_frozen_leaf_is_free() {
    #[derive(Clone, Module)]
    struct Mostly {
        #[frozen]
        table: Array2<f64>,
        #[frozen]
        list: Vec<f64>,
        held: Array1<f64>,
        w: Array1<f64>,
    }
    let model = Mostly {
        table: Array2::ones((2, 2)),
        list: vec![1.0],
        held: array![1.0, 2.0],
        w: array![3.0],
    };
    let gradient = Mostly {
        table: Array2::zeros((0, 0)),
        list: Vec::new(),
        held: array![],
        w: array![0.5],
    };
    let mut mask = Mask::of(&model);
    mask.freeze("held").unwrap();
    let layout = Layout::new(&model, &mask).unwrap();
    assert_eq!(layout.pullback(&model, &gradient), Ok(vec![0.5]));
    let missing = Error::MissingGradient {
        path: "held".into(),
        expected: vec![2],
    };
    let all = Layout::of(&model).unwrap();
    assert_eq!(all.pullback::<f64, _>(&model, &gradient), Err(missing));
}

#[test]
fn a_gradient_of_another_shape_is_refused() {
    #[derive(Clone, Module)]
    struct Ranks {
        z: ArrayD<f64>,
        zero: Array0<f64>,
        w: Array2<f64>,
    }
    let model = Ranks {
        z: arr0(1.0).into_dyn(),
        zero: arr0(2.0),
        w: Array2::ones((2, 3)),
    };
    let layout = Layout::of(&model).unwrap();
    let mut gradient = model.clone();
    gradient.z = array![1.0, 1.0].into_dyn();
    let shape = Error::Shape {
        path: "z".into(),
        expected: vec![],
        got: vec![2],
    };
    let got = layout.pullback::<f64, _>(&model, &gradient);
    assert_eq!(got, Err(shape.clone()));
    let text = shape.to_string();
    assert!(text.contains("[]") && text.contains("[2]"), "{text}");

    // As many elements, and of a shape that would broadcast: neither is the shape.
    for other in [(3, 2), (1, 3), (6, 1)] {
        let mut gradient = model.clone();
        gradient.w = Array2::ones(other);
        let shape = Error::Shape {
            path: "w".into(),
            expected: vec![2, 3],
            got: vec![other.0, other.1],
        };
        assert_eq!(layout.pullback::<f64, _>(&model, &gradient), Err(shape));
    }
}

/// softplus' = σ(x), and 1 - exp(-softplus x) = σ(x): 5 (1 - exp(-2)) = 4.3233…
#[test]
fn the_chain_rule_holds_and_steps_stay_inside() {
    #[derive(Module)]
    struct P {
        #[param(transform = Softplus)]
        s: f64,
    }
    let mut model = P { s: 2.0 };
    let gradient = P { s: 5.0 };
    let layout = Layout::of(&model).unwrap();
    let mut x: Vec<f64> = layout.flatten(&model).unwrap();
    assert_near(x[0], 1.854_586_542_131_141, 1e-14);
    let first: Vec<f64> = layout.pullback(&model, &gradient).unwrap();
    assert_near(first[0], 4.323_323_583_816_936, 1e-14);
    for _ in 0..50 {
        let slope: Vec<f64> = layout.pullback(&model, &gradient).unwrap();
        x[0] -= slope[0];
        layout.unflatten(&mut model, &x).unwrap();
        assert!(model.s > 0.0);
    }
    assert!(x[0] < first[0], "the steps went somewhere");
}

#[derive(Clone, Debug, Module)]
struct Both {
    #[param(transform = Positive)]
    narrow: Array1<f32>,
    plain: f32,
    #[param(transform = Positive)]
    wide: Array2<f64>,
}

#[test]
fn precisions_and_memory_orders_mix() {
    let model = Both {
        narrow: array![1.0, 2.0],
        plain: 3.0,
        wide: array![[1.0, 2.0], [4.0, 8.0]],
    };
    let mut narrow = array![10.0, 20.0];
    narrow.invert_axis(Axis(0));
    let columns: Array2<f64> = array![[1.0, 3.0], [2.0, 4.0]];
    let gradient = Both {
        narrow, // [20, 10]
        plain: 30.0,
        wide: columns.reversed_axes(), // [[1, 2], [3, 4]]
    };
    let layout = Layout::of(&model).unwrap();
    // y = exp x, so x̄ = ȳ y; up to the rounding of ln and exp in either precision.
    let expected = [20.0, 20.0, 30.0, 1.0, 4.0, 12.0, 32.0];
    let wide: Vec<f64> = layout.pullback(&model, &gradient).unwrap();
    for (i, (got, expected)) in wide.iter().zip(expected).enumerate() {
        assert_near(*got, expected, if i < 2 { 1e-6 } else { 1e-15 });
    }
    assert_eq!(wide[2], 30.0);
    let narrow: Vec<f32> = layout.pullback(&model, &gradient).unwrap();
    for (got, expected) in narrow.into_iter().zip(expected) {
        assert_near(f64::from(got), expected, 1e-6);
    }
}

/// A coordinate that a stored value has lost is exact where the flat vector is given.
#[test]
fn the_point_may_be_given_as_the_flat_vector() {
    #[derive(Module)]
    struct Scale(#[param(transform = Positive)] f64);
    let mut model = Scale(1.0);
    let layout = Layout::of(&model).unwrap();
    let x = [-1000.0];
    layout.unflatten(&mut model, &x).unwrap();
    let before = bits(&model);
    let mut out = [f64::NAN];
    layout
        .pullback_into(&model, &x, &Scale(1.0), &mut out)
        .unwrap();
    assert_eq!(out, [0.0]); // exp(-1000) underflows
    let at_stored: Vec<f64> = layout.pullback(&model, &Scale(1.0)).unwrap();
    assert!(at_stored[0] > 0.0);
    assert_eq!(bits(&model), before);
}
