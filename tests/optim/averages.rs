//! Moving averages of parameters.

use paramtree::optim::Ema;
use paramtree::transform::Positive;
use paramtree::{Error, Mask, Module};

use crate::bits;
use crate::json::read;
use crate::problem::error;

#[derive(Clone, Debug, Module)]
struct Pair {
    x: Vec<f64>,
    #[frozen]
    held: f64,
}

fn pair(x: Vec<f64>) -> Pair {
    Pair { x, held: f64::NAN }
}

#[test]
fn debiased_and_raw() {
    let start = pair(vec![7.0, 7.0]);
    let mut ema = Ema::<f64>::debiased(&start, &Mask::of(&start), 0.9).unwrap();
    for row in read("ema").at("rows").list() {
        ema.update(&pair(row.at("x").numbers())).unwrap();
        assert!(error(ema.flat(), &row.at("raw").numbers()) <= 1e-12);
        let mut average = start.clone();
        ema.write(&mut average).unwrap();
        assert!(error(&average.x, &row.at("debiased").numbers()) <= 1e-12);
        assert_eq!(average.held.to_bits(), start.held.to_bits());
        assert_eq!(ema.count(), row.at("step").count());
    }
}

#[test]
fn from_the_start() {
    let start = pair(vec![1.0]);
    let mut ema = Ema::<f64>::new(&start, &Mask::of(&start), 0.9).unwrap();
    let expected = read("ema").at("incremental").numbers();
    assert_eq!(ema.flat(), &expected[..1]);
    for (k, expected) in (1..).zip(&expected[1..]) {
        ema.update(&pair(vec![f64::from(k)])).unwrap();
        let mut average = pair(vec![0.0]);
        ema.write(&mut average).unwrap();
        assert!(error(&average.x, &[*expected]) <= 1e-12);
    }
}

#[derive(Clone, Debug, Module)]
struct Scale {
    #[param(transform = Positive)]
    scale: f64,
    shift: f32,
}

#[test]
fn the_mean_is_of_coordinates() {
    let scale = |scale| Scale { scale, shift: 1.0 };
    let mut ema = Ema::<f64>::new(&scale(1.0), &Mask::of(&scale(1.0)), 0.5).unwrap();
    ema.update(&scale(16.0)).unwrap();
    let mut average = scale(9.0);
    ema.write(&mut average).unwrap();
    // exp((ln 1 + ln 16) / 2) = 4, the geometric mean.
    assert!((average.scale - 4.0).abs() < 1e-14);
    assert_eq!(average.shift, 1.0);
}

#[test]
fn what_is_frozen_is_in_no_average() {
    let mut model = Scale {
        scale: 2.0,
        shift: 1.0,
    };
    let mut mask = Mask::of(&model);
    mask.freeze("scale").unwrap();
    let mut ema = Ema::<f32>::debiased(&model, &mask, 0.5).unwrap();
    assert_eq!(ema.flat().len(), 1);
    // Before there is anything to average, nothing is written.
    let before = bits(&model);
    ema.write(&mut model).unwrap();
    assert_eq!(bits(&model), before);
    // -1 is no scale, but nobody asks.
    ema.update(&Scale {
        scale: -1.0,
        shift: 3.0,
    })
    .unwrap();
    ema.write(&mut model).unwrap();
    assert_eq!((model.scale, model.shift), (2.0, 3.0));
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut model = pair(vec![1.0, 2.0]);
    let mask = Mask::of(&model);
    for decay in [1.0, -0.1, f64::NAN] {
        let error = Ema::<f64>::new(&model, &mask, decay).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("`decay` is {decay}, and must be in [0, 1)")
        );
    }
    let mut ema = Ema::<f64>::new(&model, &mask, 0.5).unwrap();
    let longer = pair(vec![5.0; 3]);
    assert!(matches!(ema.update(&longer), Err(Error::Shape { .. })));
    assert_eq!((ema.flat(), ema.count()), (&[1.0, 2.0][..], 0));
    let mut longer = pair(vec![5.0; 3]);
    assert!(ema.write(&mut longer).is_err());
    assert_eq!(longer.x, [5.0; 3]);

    let scale = Scale {
        scale: 1.0,
        shift: 0.0,
    };
    let mut ema = Ema::<f64>::new(&scale, &Mask::of(&scale), 0.5).unwrap();
    let bad = Scale {
        scale: -1.0,
        shift: 9.0,
    };
    assert!(matches!(ema.update(&bad), Err(Error::Refused { .. })));
    assert_eq!((ema.flat(), ema.count()), (&[0.0, 0.0][..], 0));
    ema.write(&mut model).unwrap_err();
}
