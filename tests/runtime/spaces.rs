//! Natural and unconstrained space: transforms through a layout.

use std::collections::BTreeMap;

use ndarray::{Array0, Array1, Array2, arr0, array};
use paramtree::transform::{Affine, Interval, Positive, Softplus, Transform};
use paramtree::{Error, Layout, Mask, Module, Refusal};

use crate::{assert_near, bits};

#[test]
fn a_start_value_outside_its_range_is_refused() {
    #[derive(Module)]
    struct Q {
        #[param(transform = Positive)]
        s: f64,
        #[param(transform = Interval::new(0.0, 1.0))]
        p: Array1<f64>,
    }
    let of = |s, p1| Q {
        s,
        p: array![0.5, p1],
    };
    let layout = Layout::of(&of(1.0, 0.5)).unwrap();
    let cases = [
        (of(-0.5, 0.5), "`s`", "-0.5 is", "(0, inf)"),
        (of(0.0, 0.5), "`s`", "0 is", "(0, inf)"),
        (of(1.0, 1.0), "`p[1]`", "1 is", "(0, 1)"),
        (of(1.0, f64::NAN), "`p[1]`", "NaN is", "(0, 1)"),
    ];
    for (model, place, value, range) in cases {
        let text = layout.flatten::<f64>(&model).unwrap_err().to_string();
        for named in [place, value, range] {
            assert!(text.contains(named), "{text}");
        }
    }
}

#[test]
fn a_frozen_leaf_makes_no_trip_through_its_transform() {
    #[derive(Module)]
    struct K {
        #[param(transform = Softplus)]
        ls: f64,
        w: f64,
    }
    let mut k = K { ls: 0.1, w: 0.0 };
    let mut mask = Mask::of(&k);
    mask.freeze("ls").unwrap();
    let layout = Layout::new(&k, &mask).unwrap();
    for _ in 0..10_000 {
        let mut x: Vec<f64> = layout.flatten(&k).unwrap();
        x[0] += 0.5;
        layout.unflatten(&mut k, &x).unwrap();
    }
    assert_eq!((k.ls.to_bits(), k.w), (0.1_f64.to_bits(), 5000.0));
    // ln(exp 0.1 - 1)
    let x: Vec<f64> = Layout::of(&k).unwrap().flatten(&k).unwrap();
    assert_near(x[0], -2.252_168_461_044_09, 1e-12);

    // Out of its domain: a frozen leaf is not asked.
    k.ls = -1.0;
    assert_eq!(layout.flatten::<f64>(&k).unwrap(), [5000.0]);
    assert!(Layout::of(&k).unwrap().flatten::<f64>(&k).is_err());
}

#[test]
fn a_transform_stands_on_whatever_holds_numbers() {
    #[derive(Module)]
    struct Holders {
        #[param(transform = Affine::new(1, 2))]
        vec: Vec<f64>,
        #[param(transform = Affine::new(1, 2))]
        option: Option<f64>,
        #[param(transform = Affine::new(1, 2))]
        none: Option<Vec<f64>>,
        #[param(transform = Affine::new(1, 2))]
        boxed: Box<f32>,
        #[param(transform = Affine::new(1, 2))]
        array: [f64; 2],
        #[param(transform = Affine::new(1, 2))]
        columns: Array2<f64>,
        #[param(transform = Affine::new(1, 2))]
        zero: Array0<f32>,
        #[param(transform = Affine::new(1, 2))]
        map: BTreeMap<String, Array1<f64>>,
        #[param(transform = Affine::new(1, 2))]
        nested: Vec<Option<Box<[f64]>>>,
        #[param(transform = Affine::new(1, 2))]
        empty: Array2<f64>,
    }
    let columns: Array2<f64> = array![[11.0, 15.0], [13.0, 17.0]];
    let mut model = Holders {
        vec: vec![1.0, 3.0],
        option: Some(5.0),
        none: None,
        boxed: Box::new(7.0),
        array: [9.0, 9.0],
        columns: columns.reversed_axes(),
        zero: arr0(19.0),
        map: BTreeMap::from([("k".to_owned(), array![21.0])]),
        nested: vec![None, Some(Box::new([23.0]))],
        empty: Array2::zeros((0, 2)),
    };
    let layout = Layout::of(&model).unwrap();
    // y = 1 + 2 x, so x = (y - 1) / 2, exactly.
    let x: Vec<f64> = layout.flatten(&model).unwrap();
    let expected = [
        0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0,
    ];
    assert_eq!(x, expected);
    let doubled: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
    layout.unflatten(&mut model, &doubled).unwrap();
    assert_eq!(layout.flatten::<f64>(&model).unwrap(), doubled);
    assert_eq!(model.columns, array![[21.0, 25.0], [29.0, 33.0]]);
    assert_eq!((*model.boxed, model.zero), (13.0, arr0(37.0)));
    assert_eq!(model.nested[1].as_deref(), Some(&[45.0][..]));
    assert!(model.none.is_none());
}

#[derive(Clone, Debug, Module)]
struct Moving {
    #[frozen]
    low: f32,
    #[param(transform = Interval::new(self.low, self.bounds.1))]
    x: f64,
    #[frozen]
    bounds: (f64, f64),
}

#[test]
fn a_transform_reads_what_is_frozen_in_its_struct() {
    let bounds = (0.0, 4.0);
    let mut model = Moving {
        low: 0.0,
        x: 2.0,
        bounds,
    };
    let layout = Layout::of(&model).unwrap();
    assert_eq!(layout.flatten::<f64>(&model).unwrap(), [0.0]);
    // The owner moves a bound: the same coordinate is the middle of another interval.
    model.low = 2.0;
    layout.unflatten(&mut model, &[0.0]).unwrap();
    assert_eq!((model.x, model.low, model.bounds), (3.0, 2.0, bounds));
    // 2 is no longer inside.
    model.x = 2.0;
    let refused = layout.flatten::<f64>(&model).unwrap_err();
    let Error::Refused { path, refusal, .. } = refused else {
        panic!("{refused}");
    };
    assert_eq!((path.as_str(), refusal.index()), ("x", Some(0)));
}

#[derive(Clone, Debug, Module)]
struct Density {
    free: f64,
    #[param(transform = Positive)]
    a: Array1<f64>,
    #[param(transform = Interval::new(-1, 3))]
    b: f64,
    #[frozen]
    #[param(transform = Positive)]
    held: f64,
}

fn density() -> Density {
    Density {
        free: 1.0,
        a: array![1.0, 1.0],
        b: 1.0,
        held: 5.0,
    }
}

/// With y = a + (b - a) σ(x): ln|dy/dx| = ln(b - a) + ln σ(x) + ln σ(-x), slope 1 - 2 σ(x).
/// At x = ln 3, σ(x) = 3/4: ln 4 + ln(3/16) = ln(3/4), and the slope is -1/2.
#[test]
fn the_log_jacobian_is_that_of_the_trained_leaves() {
    let (model, x) = (density(), [9.0, 0.5, -2.0, 3.0_f64.ln()]);
    let layout = Layout::of(&model).unwrap();
    let expected = 0.5 - 2.0 + 0.75_f64.ln();
    let got = layout.log_abs_det_jacobian(&model, &x).unwrap();
    assert_near(got, expected, 1e-14);

    let mut gradient = [10.0, 20.0, 30.0, 40.0];
    let value = layout
        .add_log_abs_det_jacobian_grad(&model, &x, &mut gradient)
        .unwrap();
    assert_eq!(value.to_bits(), got.to_bits());
    assert_eq!(gradient[..3], [10.0, 21.0, 31.0]);
    assert_near(gradient[3], 39.5, 1e-14);

    let mut mask = Mask::of(&model);
    mask.freeze("a").unwrap();
    let layout = Layout::new(&model, &mask).unwrap();
    let got: f64 = layout.log_abs_det_jacobian(&model, &[9.0, 0.0]).unwrap();
    // At x = 0: ln 4 + 2 ln(1/2) = 0.
    assert!(got.abs() < 1e-15, "{got}");
}

#[test]
fn a_wide_gradient_keeps_its_digits_beside_a_narrow_leaf() {
    #[derive(Module)]
    struct Narrow(#[param(transform = Positive)] f32);
    let model = Narrow(1.0);
    let layout = Layout::of(&model).unwrap();
    let mut gradient = [0.1_f64];
    let value = layout
        .add_log_abs_det_jacobian_grad(&model, &[0.5], &mut gradient)
        .unwrap();
    // d/dx x = 1, exactly; what stood there was not the leaf's.
    assert_eq!((value, gradient), (0.5, [1.1]));
}

#[test]
fn what_saturates_stays_inside_and_comes_back() {
    let mut model = density();
    let layout = Layout::of(&model).unwrap();
    let x = [0.0, 1000.0, -1000.0, 800.0];
    layout.unflatten(&mut model, &x).unwrap();
    assert_eq!(model.a[0], f64::MAX);
    assert!(0.0 < model.a[1] && model.a[1] < 1e-307);
    assert!(model.b < 3.0 && model.b > 2.99);
    let back: Vec<f64> = layout.flatten(&model).unwrap();
    assert!(back.iter().all(|x| x.is_finite()));
    assert_eq!(model.held, 5.0);
}

/// Numbers that sum to zero: the last is minus the sum of the others.
struct ZeroSum;

impl Transform<f64> for ZeroSum {
    fn unconstrained_len(&self, shape: &[usize]) -> Result<usize, Refusal> {
        let n: usize = shape.iter().product();
        n.checked_sub(1)
            .ok_or_else(|| Refusal::parameter("no numbers sum to nothing"))
    }

    fn constrain(&self, x: &[f64], y: &mut [f64], _: &[usize]) {
        y[..x.len()].copy_from_slice(x);
        y[x.len()] = -x.iter().sum::<f64>();
    }

    fn unconstrain(&self, y: &[f64], x: &mut [f64], _: &[usize]) -> Result<(), Refusal> {
        let sum: f64 = y.iter().sum();
        if sum != 0.0 {
            return Err(Refusal::parameter(format!("they sum to {sum}")));
        }
        x.copy_from_slice(&y[..x.len()]);
        Ok(())
    }

    fn vjp(&self, x: &[f64], y_bar: &[f64], x_bar: &mut [f64], _: &[usize]) {
        let last = y_bar[x.len()];
        x_bar
            .iter_mut()
            .zip(y_bar)
            .for_each(|(x_bar, y_bar)| *x_bar = y_bar - last);
    }

    fn log_abs_det_jacobian(&self, _: &[f64], _: &[usize]) -> f64 {
        0.0
    }

    fn add_log_abs_det_jacobian_grad(&self, _: &[f64], _: &mut [f64], _: &[usize]) {}
}

#[derive(Clone, Debug, Module)]
struct Effects {
    before: f64,
    #[param(transform = ZeroSum)]
    group: Array2<f64>,
    after: f32,
}

#[test]
fn a_transform_may_have_fewer_coordinates_than_values() {
    let columns: Array2<f64> = array![[1.0, 3.0], [2.0, -6.0]];
    let mut model = Effects {
        before: 8.0,
        group: columns.reversed_axes(), // [[1, 2], [3, -6]] in logical order
        after: 9.0,
    };
    let layout = Layout::of(&model).unwrap();
    let names = ["before", "group(0)", "group(1)", "group(2)", "after"];
    assert_eq!(layout.names(), names);
    let x: Vec<f64> = layout.flatten(&model).unwrap();
    assert_eq!(x, [8.0, 1.0, 2.0, 3.0, 9.0]);

    layout
        .unflatten(&mut model, &[0.5, 1.0, 1.0, 1.0, 0.25])
        .unwrap();
    assert_eq!(model.group, array![[1.0, 1.0], [1.0, -3.0]]);
    assert_eq!((model.before, model.after), (0.5, 0.25));
    let gradient = Effects {
        before: 1.0,
        group: array![[10.0, 20.0], [30.0, 5.0]],
        after: 2.0,
    };
    let flat: Vec<f64> = layout.pullback(&model, &gradient).unwrap();
    assert_eq!(flat, [1.0, 5.0, 15.0, 25.0, 2.0]);

    model.group[[0, 0]] = 2.0;
    let before = bits(&model);
    let error = layout.flatten::<f64>(&model).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`group`: ZeroSum refuses it: they sum to 1"
    );
    assert_eq!(bits(&model), before);
    model.group = Array2::zeros((0, 2));
    let error = Layout::of(&model).unwrap_err();
    assert!(error.to_string().ends_with("no numbers sum to nothing"));
}
