//! What a layout refuses, before anything is written.

use std::collections::HashMap;

use ndarray::{Array1, Array2, ArrayD, array};
use paramtree::transform::{Interval, Positive};
use paramtree::{Error, Frozen, Layout, Module, Refusal};

use crate::bits;

#[derive(Clone, Debug, Module)]
enum Act {
    One { a: f64 },
    Two { a: f64 },
    Many(Vec<f64>),
}

#[derive(Clone, Debug, Module)]
struct Model {
    w: Array1<f64>,
    #[param(transform = Positive)]
    s: Vec<f32>,
    act: Act,
    o: Option<f64>,
    layers: Vec<Array2<f64>>,
    map: HashMap<String, f64>,
}

fn model() -> Model {
    Model {
        w: array![1.0, 2.0],
        s: vec![1.0],
        act: Act::One { a: 3.0 },
        o: Some(4.0),
        layers: vec![Array2::ones((2, 3))],
        map: HashMap::from([("x".to_owned(), 5.0)]),
    }
}

/// 2 + 1 + 1 + 1 + 6 + 1
const LEN: usize = 12;

/// The bits of a slice, to see that it is as it was.
fn slice_bits(slice: &[f64]) -> Vec<u64> {
    slice.iter().map(|x| x.to_bits()).collect()
}

/// Checks that every operation refuses `wrong` in place of the model, and writes nothing.
fn assert_refused(layout: &Layout, wrong: &Model, expected: &Error) {
    let (right, x) = (model(), [0.5; LEN]);
    let mut out = [f64::NAN; LEN];
    let before = slice_bits(&out);
    let mut written = wrong.clone();
    let errors = [
        layout.flatten::<f64>(wrong).err(),
        layout.flatten_into(wrong, &mut out).err(),
        layout.unflatten(&mut written, &x).err(),
        layout.pullback::<f64, _>(wrong, &right).err(),
        layout.pullback::<f64, _>(&right, wrong).err(),
        layout.pullback_into(wrong, &x, &right, &mut out).err(),
        layout.pullback_into(&right, &x, wrong, &mut out).err(),
        layout.log_abs_det_jacobian(wrong, &x).err(),
        layout
            .add_log_abs_det_jacobian_grad(wrong, &x, &mut out)
            .err(),
    ];
    for error in errors {
        assert_eq!(error.as_ref(), Some(expected));
    }
    assert_eq!(bits(&written), bits(wrong));
    assert_eq!(slice_bits(&out), before);
}

fn structure(missing: Option<&str>, surplus: Option<&str>) -> Error {
    Error::Structure {
        missing: missing.map(str::to_owned),
        surplus: surplus.map(str::to_owned),
    }
}

#[test]
fn another_variant_is_refused_though_the_sizes_agree() {
    let layout = Layout::of(&model()).unwrap();
    let mut wrong = model();
    wrong.act = Act::Two { a: 3.0 };
    let error = structure(Some("act.One.a"), Some("act.Two.a"));
    assert_refused(&layout, &wrong, &error);
    wrong.act = Act::Many(vec![3.0]);
    let error = structure(Some("act.One.a"), Some("act.Many"));
    assert_refused(&layout, &wrong, &error);
}

#[test]
fn what_came_or_went_is_refused() {
    let layout = Layout::of(&model()).unwrap();
    let mut wrong = model();
    wrong.o = None;
    assert_refused(&layout, &wrong, &structure(Some("o"), None));
    let mut wrong = model();
    wrong.layers.push(Array2::ones((1, 1)));
    assert_refused(&layout, &wrong, &structure(None, Some("layers.1")));
    wrong.layers.clear();
    assert_refused(&layout, &wrong, &structure(Some("layers.0"), None));
    let mut wrong = model();
    wrong.map = HashMap::from([("y".to_owned(), 5.0)]);
    assert_refused(&layout, &wrong, &structure(Some("map.x"), Some("map.y")));
}

#[test]
fn another_shape_is_refused_though_the_sizes_agree() {
    let layout = Layout::of(&model()).unwrap();
    let mut wrong = model();
    wrong.layers = vec![Array2::ones((3, 2))];
    let error = Error::Shape {
        path: "layers.0".into(),
        expected: vec![2, 3],
        got: vec![3, 2],
    };
    assert_refused(&layout, &wrong, &error);
    let mut wrong = model();
    wrong.s.push(1.0);
    let error = Error::Shape {
        path: "s".into(),
        expected: vec![1],
        got: vec![2],
    };
    assert_refused(&layout, &wrong, &error);
}

#[test]
fn shapes_of_any_rank_are_kept_apart() {
    type Pair = (ArrayD<f64>, ArrayD<f64>);
    let ones = |a: &[usize], b: &[usize]| -> Pair { (ArrayD::ones(a), ArrayD::ones(b)) };
    let cases: [[&[usize]; 4]; 3] = [
        [&[2], &[1, 2], &[2, 1], &[2]],
        [&[], &[2], &[2], &[]],
        [&[3, 1], &[], &[3], &[1]],
    ];
    for [a, b, c, d] in cases {
        let (right, mut wrong) = (ones(a, b), ones(c, d));
        let layout = Layout::of(&right).unwrap();
        let error = Error::Shape {
            path: "0".into(),
            expected: a.to_vec(),
            got: c.to_vec(),
        };
        let x: Vec<f64> = layout.flatten(&right).unwrap();
        let errors = [
            layout.flatten::<f64>(&wrong).err(),
            layout.unflatten(&mut wrong, &x).err(),
            layout.pullback::<f64, _>(&right, &wrong).err(),
        ];
        for got in errors {
            assert_eq!(got.as_ref(), Some(&error), "{a:?} {b:?} as {c:?} {d:?}");
        }
    }
}

#[test]
fn another_length_is_refused() {
    let layout = Layout::of(&model()).unwrap();
    assert_eq!(layout.len(), LEN);
    let (right, x) = (model(), [0.5; LEN]);
    for got in [0, LEN - 1, LEN + 1] {
        let error = Error::Length { expected: LEN, got };
        let (short, mut out) = (vec![0.5; got], vec![f64::NAN; got]);
        let mut room = [f64::NAN; LEN];
        let mut written = right.clone();
        let errors = [
            layout.flatten_into(&right, &mut out).err(),
            layout.unflatten(&mut written, &short).err(),
            layout
                .pullback_into(&right, &short, &right, &mut room)
                .err(),
            layout.pullback_into(&right, &x, &right, &mut out).err(),
            layout.log_abs_det_jacobian(&right, &short).err(),
            layout
                .add_log_abs_det_jacobian_grad(&right, &x, &mut out)
                .err(),
            layout
                .add_log_abs_det_jacobian_grad(&right, &short, &mut room)
                .err(),
        ];
        for refused in errors {
            assert_eq!(refused.as_ref(), Some(&error));
        }
        assert_eq!(bits(&written), bits(&right));
        assert!(out.iter().chain(&room).all(|x| x.is_nan()));
    }
}

#[test]
fn numbers_that_no_transform_takes_are_refused_with_path_and_index() {
    let layout = Layout::of(&model()).unwrap();
    let right = model();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut x = [0.5; LEN];
        // `s` stands behind the two numbers of `w`, where anything may stand.
        (x[0], x[2]) = (bad, bad);
        let mut out = [7.0; LEN];
        let mut written = right.clone();
        let errors = [
            layout.unflatten(&mut written, &x).err(),
            layout.pullback_into(&right, &x, &right, &mut out).err(),
            layout.log_abs_det_jacobian(&right, &x).err(),
            layout
                .add_log_abs_det_jacobian_grad(&right, &x, &mut out)
                .err(),
        ];
        for error in errors {
            let Some(Error::NotFinite { path, index, value }) = error else {
                panic!("{error:?}");
            };
            assert_eq!((path.as_str(), index), ("s", 2));
            assert_eq!(value.to_bits(), bad.to_bits());
        }
        assert_eq!(bits(&written), bits(&right));
        assert_eq!(out, [7.0; LEN]);
        x[2] = 0.5;
        layout.unflatten(&mut written, &x).unwrap();
        assert_eq!(written.w[0].to_bits(), bad.to_bits());
    }
}

#[derive(Clone, Debug, Module)]
struct Bounded {
    first: f64,
    #[param(transform = Interval::new(self.low, self.high))]
    x: Array1<f64>,
    #[frozen]
    low: f64,
    #[frozen]
    high: f64,
}

#[test]
fn a_transform_that_has_become_none_is_refused() {
    let mut model = Bounded {
        first: 1.0,
        x: array![0.5, 0.25],
        low: 0.0,
        high: 1.0,
    };
    let layout = Layout::of(&model).unwrap();
    (model.low, model.high) = (2.0, 1.0);
    let before = bits(&model);
    let mut out = [7.0; 3];
    let gradient = model.clone();
    let errors = [
        Layout::of(&model).err(),
        layout.flatten_into(&model, &mut out).err(),
        layout.unflatten(&mut model, &[0.0; 3]).err(),
        layout
            .pullback_into(&model, &[0.0; 3], &gradient, &mut out)
            .err(),
        layout.log_abs_det_jacobian(&model, &[0.0; 3]).err(),
    ];
    for error in errors {
        let Some(Error::Refused { path, refusal, .. }) = error else {
            panic!("{error:?}");
        };
        assert_eq!(path, "x");
        assert!(matches!(*refusal, Refusal::Parameter { .. }), "{refusal}");
    }
    assert_eq!(out, [7.0; 3]);
    assert_eq!(bits(&model), before);
}

#[test]
fn a_value_outside_its_domain_leaves_the_slice_as_it_was() {
    let mut model = Bounded {
        first: 1.0,
        x: array![0.5, 1.5],
        low: 0.0,
        high: 1.0,
    };
    let layout = Layout::of(&model).unwrap();
    let mut out = [7.0; 3];
    let error = layout.flatten_into(&model, &mut out).unwrap_err();
    let text = error.to_string();
    let named = "`x[1]`: Interval(0, 1) refuses it: 1.5 is outside the open interval (0, 1)";
    assert_eq!(text, named);
    assert_eq!(out, [7.0; 3]);
    // Writing is the way back in: what stands there now does not matter.
    layout.unflatten(&mut model, &[2.0, 0.0, 0.0]).unwrap();
    assert_eq!(model.x, array![0.5, 0.5]);
}

#[test]
fn a_type_that_declares_otherwise_is_refused() {
    let open = (1.0, array![2.0, 3.0]);
    let mut held = (Frozen::new(1.0), array![2.0, 3.0]);
    let layout = Layout::of(&open).unwrap();
    let before = bits(&held);
    assert!(layout.flatten::<f64>(&held).is_err());
    assert!(layout.unflatten(&mut held, &[7.0; 3]).is_err());
    assert_eq!(bits(&held), before);
}

#[test]
fn a_type_with_other_transforms_is_refused_or_obeyed() {
    #[derive(Module)]
    struct Plain {
        x: f64,
    }
    #[derive(Module)]
    struct Scale {
        #[param(transform = Positive)]
        x: f64,
    }
    let layout = Layout::of(&Plain { x: 1.0 }).unwrap();
    // -1 has no coordinate as a positive number, and NaN is none.
    let wrong = layout.flatten::<f64>(&Scale { x: -1.0 });
    assert!(wrong.is_err(), "{wrong:?}");
    let mut scale = Scale { x: 2.0 };
    assert!(layout.unflatten(&mut scale, &[f64::NAN]).is_err());
    assert_eq!(scale.x, 2.0);
}
