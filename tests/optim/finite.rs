//! Gradients that are infinite or NaN.

use ndarray::{Array1, Array2, array};
use paramtree::optim::{Builder, NonFinite, Optimizer, Rule, Sgd, Step};
use paramtree::transform::{LowerTriangular, Softplus};
use paramtree::{Error, Mask, Module};

use crate::{all, all_but, bits, refused};

#[derive(Clone, Debug, Module)]
struct Grid {
    narrow: Vec<f32>,
    wide: Array2<f64>,
    #[param(transform = Softplus)]
    s: f64,
}

fn grid() -> Grid {
    Grid {
        narrow: vec![1.0, 2.0],
        wide: array![[1.0, 2.0], [3.0, 4.0]],
        s: 1.0,
    }
}

#[test]
fn what_is_not_finite_is_told_with_its_place() {
    fn check(rule: impl Rule) {
        let mut model = grid();
        let mut optimizer = all(&model, rule);
        optimizer.step(&mut model, &grid()).unwrap();
        let mut gradient = grid();
        gradient.wide[[1, 0]] = f64::NEG_INFINITY;
        let error = refused(&mut optimizer, &mut model, &gradient);
        let expected = "the gradient of `wide[1, 0]` is -inf: nothing has been changed";
        assert_eq!(error.to_string(), expected);
        // Column after column in memory, the place is the same.
        gradient.wide = gradient
            .wide
            .t()
            .as_standard_layout()
            .into_owned()
            .reversed_axes();
        let again = refused(&mut optimizer, &mut model, &gradient);
        assert_eq!(again, error);

        let mut gradient = grid();
        gradient.narrow[1] = f32::NAN;
        let error = refused(&mut optimizer, &mut model, &gradient);
        let expected = "the gradient of `narrow[1]` is NaN: nothing has been changed";
        assert_eq!(error.to_string(), expected);
        let mut gradient = grid();
        gradient.s = f64::NAN;
        let error = refused(&mut optimizer, &mut model, &gradient);
        let expected = "the gradient of `s` is NaN: nothing has been changed";
        assert_eq!(error.to_string(), expected);
    }
    each_rule!(check);
}

#[test]
fn or_skipped() {
    fn check(rule: impl Rule) {
        let mut model = grid();
        let optimizer = Builder::new(rule).non_finite(NonFinite::Skip).accumulate(2);
        let mut optimizer = optimizer.build(&model, &Mask::of(&model)).unwrap();
        optimizer.step(&mut model, &grid()).unwrap();
        let before = (bits(&model), bits(&optimizer));
        let mut gradient = grid();
        gradient.wide[[0, 1]] = f64::INFINITY;
        let step = optimizer.step(&mut model, &gradient).unwrap();
        let expected = Error::NonFiniteGradient {
            path: "wide".to_owned(),
            shape: vec![2, 2],
            index: 1,
            value: f64::INFINITY,
        };
        assert_eq!(step, Step::Skipped(expected));
        assert_eq!((bits(&model), bits(&optimizer)), before);
        assert_eq!(optimizer.step(&mut model, &grid()), Ok(Step::Taken));
    }
    each_rule!(check);
}

#[test]
fn a_frozen_leaf_may_have_any() {
    fn check(rule: impl Rule) {
        let mut model = grid();
        let mut optimizer = all_but(&model, "wide", rule);
        let mut gradient = grid();
        gradient.wide = array![[f64::NAN]];
        assert_eq!(optimizer.step(&mut model, &gradient), Ok(Step::Taken));
        assert_eq!(model.wide, grid().wide);
    }
    each_rule!(check);
}

fn allowing<M: Module>(model: &M) -> Optimizer<Sgd> {
    let builder = Sgd::new(0.5).builder().non_finite(NonFinite::Allow);
    builder.build(model, &Mask::of(model)).unwrap()
}

#[test]
fn or_used() {
    let mut model = grid();
    let mut optimizer = allowing(&model);
    let mut gradient = grid();
    gradient.wide[[0, 1]] = f64::NEG_INFINITY;
    gradient.narrow[0] = f32::NAN;
    assert_eq!(optimizer.step(&mut model, &gradient), Ok(Step::Taken));
    assert_eq!(model.wide, array![[0.5, f64::INFINITY], [1.5, 2.0]]);
    assert!(model.narrow[0].is_nan() && model.narrow[1] == 1.0);

    // Of a frozen leaf it is not read, all the same.
    let mut model = grid();
    let mut mask = Mask::of(&model);
    mask.freeze("wide").unwrap();
    optimizer.set_mask(&mask).unwrap();
    gradient.narrow[0] = 1.0;
    optimizer.step(&mut model, &gradient).unwrap();
    assert_eq!(bits(&model)[1], bits(&grid())[1]);
}

#[derive(Clone, Debug, Module)]
struct Long(Array1<f64>);

#[test]
fn at_every_place_of_a_long_leaf() {
    for len in [1, 63, 64, 65, 127, 128, 129, 200, 321] {
        let mut long = Long(Array1::zeros(len));
        let mut optimizer = all(&long, Sgd::new(0.1));
        let mut gradient = Long(Array1::from_elem(len, f64::MAX));
        for place in 0..len {
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                gradient.0[place] = bad;
                let error = optimizer.step(&mut long, &gradient).unwrap_err();
                let Error::NonFiniteGradient {
                    path, index, value, ..
                } = error
                else {
                    panic!("{error}");
                };
                assert_eq!((&*path, index), ("0", place));
                assert!(value == bad || value.is_nan() && bad.is_nan());
                assert!(long.0.iter().all(|x| *x == 0.0));
            }
            gradient.0[place] = f64::MAX;
        }
        optimizer.step(&mut long, &gradient).unwrap();
    }
}

#[derive(Clone, Debug, Module)]
struct Triangle {
    first: f64,
    #[param(transform = LowerTriangular)]
    lower: Array2<f64>,
}

#[test]
fn where_a_transform_does_not_look() {
    let mut model = Triangle {
        first: 1.0,
        lower: array![[1.0, 0.0], [1.0, 1.0]],
    };
    let gradient = Triangle {
        first: 1.0,
        lower: array![[1.0, f64::NAN], [1.0, 1.0]],
    };
    let mut optimizer = all(&model, Sgd::new(0.5));
    // The entry above the diagonal is no coordinate: nobody reads its gradient.
    assert_eq!(optimizer.step(&mut model, &gradient), Ok(Step::Taken));
    assert_eq!(model.lower, array![[0.5, 0.0], [0.5, 0.5]]);

    let mut read = gradient.clone();
    (read.lower[[0, 1]], read.lower[[1, 0]]) = (0.0, f64::NAN);
    let error = refused(&mut optimizer, &mut model, &read);
    let expected = "the gradient of `lower[1, 0]` is NaN: nothing has been changed";
    assert_eq!(error.to_string(), expected);
}
